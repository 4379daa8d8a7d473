import type { Db, Tx } from '#platform/db/database.ts'
import { readSettings } from '../../settings/index.ts'
import type { Quotation } from '../quotation.ts'
import { findRevision } from '../terms/revision-store.ts'
import { readTerms } from '../terms/terms-store.ts'
import { frozenTerms, isNoWorse } from '../terms/terms.ts'
import { findExceeded } from '../limits/monthly-limit.ts'
import { findOrderability, isOfTree } from './facts-store.ts'

/** What facts are looked up of: a quotation, and who wants to do something with it. */
export interface Subject {
  readonly db: Db | Tx
  readonly quotation: Quotation
  readonly divisionId: number | null
  readonly now: Date
  /** Most units of an order. */
  readonly batchSize: number
}

interface ConditionRow {
  /** What it says to people. */
  readonly says: string
  /** Whether it refuses; details, such as names, follow what it says. No details: it does not refuse. */
  readonly refuses: (facts: Facts) => Details | Promise<Details>
}
type Details = boolean | readonly string[]

/** What conditions ask; what two of them ask is looked up once. */
const factsOf = (subject: Subject) => {
  const { db, quotation, divisionId, batchSize } = subject
  return {
    ...subject,
    orderability: once(() => findOrderability(db, quotation, batchSize)),
    hasLeft: async () =>
      divisionId !== quotation.rootDivisionId && !(await isOfTree(db, divisionId, quotation.rootDivisionId)),
    lacksConsent: async () =>
      (await readSettings(db)).QUOTATION_OWNER_CONSENT_REQUIRED && !(await hasAgreed(db, quotation)),
  }
}
type Facts = ReturnType<typeof factsOf>

const once = <T>(find: () => Promise<T>): (() => Promise<T>) => {
  let found: Promise<T> | undefined
  return () => (found ??= find())
}

/** Whether the owner agreed to the terms as they are, or to others that these are no worse than. */
const hasAgreed = async (db: Db | Tx, quotation: Quotation): Promise<boolean> => {
  const { id, status, revision, consentedRevision } = quotation
  if (consentedRevision === null) return false
  // What is no draft has the terms of its last revision, which may be large.
  if (status !== 'draft' && consentedRevision === revision) return true
  const agreed = await findRevision(db, id, consentedRevision)
  return agreed !== undefined && isNoWorse(frozenTerms(await readTerms(db, quotation)), agreed)
}

/** The most orders of one quotation: with few units for each order, a large quotation would fill the memory. */
export const maxOrders = 10_000

/** Conditions that can refuse an action which the status allows. Facts are looked up only for conditions that the table names. */
export const conditions = {
  rejected_by_main_division: {
    says: 'The main division rejected it. It can be duplicated.',
    refuses: ({ quotation }) => quotation.rejectedByMain,
  },
  needs_new_expiry: {
    says: 'Its time has passed: give it a new one in expires_at.',
    refuses: ({ quotation, now }) =>
      quotation.status === 'expired' || (quotation.expiresAt !== null && quotation.expiresAt <= now),
  },
  division_inactive: {
    says: 'Nothing can be ordered for what is switched off or was moved to another company.',
    refuses: async ({ orderability }) => (await orderability()).divisions,
  },
  product_inactive: {
    says: 'These products are not sold any more.',
    refuses: async ({ orderability }) => (await orderability()).products,
  },
  main_division_inactive: {
    says: 'The main division is switched off, and can order nothing.',
    refuses: async ({ orderability }) => (await orderability()).main,
  },
  no_division: {
    says: 'You belong to no division, so there is nothing that you could order for.',
    refuses: ({ divisionId }) => divisionId === null,
  },
  left_company: {
    says: 'You do not belong to the company any more that it was made for.',
    refuses: ({ hasLeft }) => hasLeft(),
  },
  quotation_empty: {
    says: 'There is nothing in it.',
    refuses: async ({ orderability }) => (await orderability()).orders === 0,
  },
  too_many_orders: {
    says: 'More orders than can be made would become of it.',
    refuses: async ({ orderability, batchSize }) => {
      const { orders: count } = await orderability()
      return count > maxOrders ? [`${count} of at most ${batchSize} units, and ${maxOrders} can be made`] : false
    },
  },
  monthly_limit_exceeded: {
    says: 'It would bring the month over a limit.',
    refuses: ({ db, quotation, now }) => findExceeded(db, quotation, { dueBy: now }),
  },
  net_amount_zero: {
    says: 'It comes to 0: approve it with confirm_zero if that is meant.',
    refuses: ({ quotation }) => quotation.netAmount === 0n,
  },
  owner_consent_required: {
    says: 'Its owner has not agreed to these terms: send them for approval.',
    refuses: ({ lacksConsent }) => lacksConsent(),
  },
} as const satisfies Readonly<Record<string, ConditionRow>>
export type Condition = keyof typeof conditions

/** Conditions that refuse, and the details that each adds to what it says. */
export type Refusing = ReadonlyMap<string, readonly string[]>

export const findRefusing = async (codes: Iterable<Condition>, subject: Subject): Promise<Refusing> => {
  const facts = factsOf(subject)
  const refusing = new Map<string, readonly string[]>()
  const asked = [...codes].map(async (code) => {
    const { refuses }: ConditionRow = conditions[code]
    return [code, await refuses(facts)] as const
  })
  for (const [code, details] of await Promise.all(asked)) {
    if (details === true) refusing.set(code, [])
    else if (details !== false && details.length > 0) refusing.set(code, details)
  }
  return refusing
}
