import type { Static } from 'typebox'
import { invalidField } from '#platform/errors.ts'
import { makeToWire } from '#platform/http/record-shape.ts'
import { formatMoney, parseMoney, type Minor } from '#platform/money.ts'
import { PlainDivision, type Details, type sentDetails } from './schemas.ts'

/** What somebody can set. */
export interface DivisionFields {
  readonly name: string
  readonly phoneNumber: string
  /** What the buyer's own system calls it; null: nothing. */
  readonly erpCode: string | null
  /** The division it is a branch of; null: it is a main division. */
  readonly parent: number | null
  /** Inactive: nothing can be ordered for it, and its people can order nothing. */
  readonly isActive: boolean
  /** Most that its quotations of a month and those below it may come to, in each currency; null: no limit. */
  readonly monthlyLimit: Minor | null
  readonly details: DivisionDetails
}

/** As it is on the wire. */
export type DivisionDetails = Static<typeof Details>
export type SentDetails = Static<typeof sentDetails>
export const noDetails: DivisionDetails = {
  address: '',
  fax_number: '',
  country_id: null,
  city_id: null,
  township_id: null,
  district_id: null,
  latitude: null,
  longitude: null,
  extra_data: {},
  current_balance: '0.00',
  current_balance_last_update: null,
}

/** Two divisions have no ERP codes with the same key: case makes no difference (contract, section 7). */
export const erpCodeKey = (erpCode: string): string => erpCode.toLowerCase()

/** What is not said of a new division. */
export const unsaid: Omit<DivisionFields, 'name'> = {
  phoneNumber: '',
  erpCode: null,
  parent: null,
  isActive: true,
  monthlyLimit: null,
  details: noDetails,
}

/** The details with those that were sent. @throws AppError 400 for a balance that is no amount. */
export const changedDetails = (
  details: DivisionDetails,
  { current_balance: sent, ...fields }: SentDetails,
  now: Date,
): DivisionDetails => {
  const balance = sent === undefined ? details.current_balance : balanceOf(sent ?? '0')
  const isMoved = balance !== details.current_balance
  const updated = isMoved ? { current_balance: balance, current_balance_last_update: now.toISOString() } : {}
  return { ...details, ...fields, ...updated }
}

const balanceOf = (text: string): string => {
  const amount = parseMoney(text.replace(/^-/, ''), limitDigits)
  if (amount === undefined) throw invalidField('current_balance', 'Expected an amount such as -5000.00.')
  return formatMoney(text.startsWith('-') ? -amount : amount, limitDigits)
}

/** A company, or a branch of one: a node of a tree. */
export interface Division extends DivisionFields {
  readonly id: number
  /** The main division of its tree; itself for a main division. */
  readonly root: number
  readonly createdAt: Date
  readonly modifiedAt: Date
}

/** Whether setting these fields would change anything. */
export const differs = (division: Division, fields: DivisionFields): boolean =>
  (Object.keys(fields) as (keyof DivisionFields)[]).some((name) =>
    name === 'details'
      ? JSON.stringify(division.details) !== JSON.stringify(fields.details)
      : division[name] !== fields[name],
  )

/** Decimals of a limit: it is in the currency of whatever is ordered, so it has those that most currencies have. */
const limitDigits = 2

/** Reads a monthly limit such as `5000.00`, 0 of which is none; undefined when it is no amount. */
export const parseLimit = (text: string): Minor | null | undefined => {
  const limit = parseMoney(text, limitDigits)
  return limit === 0n ? null : limit
}
export const notALimit = 'Expected an amount of 0 or more such as 5000.00.'

const plainToWire = makeToWire<Division, typeof PlainDivision>(PlainDivision, {
  division_type: ({ parent }) => (parent === null ? 'main' : 'sub'),
  erp_code: ({ erpCode }) => erpCode ?? '',
  monthly_order_limit: ({ monthlyLimit }) => formatMoney(monthlyLimit ?? 0n, limitDigits),
})

/** A division, and what is left of its limits this month; null: it has none. */
export interface ShownDivision extends Division {
  readonly remaining: string | null
}

/** The division as the back office and its buyers see it. */
export const toWire = (division: ShownDivision) => ({
  ...plainToWire(division),
  remaining: division.remaining,
  ...division.details,
})
