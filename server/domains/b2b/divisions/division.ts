import { makeToWire } from '#platform/http/record-shape.ts'
import { formatMoney, parseMoney, type Minor } from '#platform/money.ts'
import { Division as DivisionRecord } from './schemas.ts'

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
  /** Most that its quotations of a month may come to; null: no limit. */
  readonly monthlyLimit: Minor | null
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
  (Object.keys(fields) as (keyof DivisionFields)[]).some((name) => division[name] !== fields[name])

/** Decimals of a limit: it is in the currency of whatever is ordered, so it has those that most currencies have. */
const limitDigits = 2

/** Reads a monthly limit such as `5000.00`; undefined when it is no amount. */
export const parseLimit = (text: string): Minor | undefined => parseMoney(text, limitDigits)
export const notALimit = 'Expected an amount of 0 or more such as 5000.00.'

const formatLimit = (limit: Minor | null): string | null => (limit === null ? null : formatMoney(limit, limitDigits))

/** The division as the back office sees it. */
export const toWire = makeToWire<Division, typeof DivisionRecord>(DivisionRecord, {
  erp_code: ({ erpCode }) => erpCode ?? '',
  monthly_limit: ({ monthlyLimit }) => formatLimit(monthlyLimit),
})

/** What the storefront client expects of a division besides, and other systems keep. */
const keptElsewhere = {
  current_balance: '',
  current_balance_last_update: null,
  address: '',
  fax_number: '',
  country_id: null,
  city_id: null,
  township_id: null,
  district_id: null,
  latitude: null,
  longitude: null,
  extra_data: {},
} as const

/** The division as the storefront client reads it. */
export const toStorefront = (division: Division) => {
  const { id, name, parent, phone_number, erp_code, is_active, monthly_limit: limit } = toWire(division)
  const type = parent === null ? ('main' as const) : ('sub' as const)
  return {
    id,
    name,
    division_type: type,
    parent,
    phone_number,
    erp_code,
    is_active,
    monthly_order_limit: limit,
    ...keptElsewhere,
  }
}
