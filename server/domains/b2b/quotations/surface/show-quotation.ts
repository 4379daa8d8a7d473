import type { Static } from 'typebox'
import type { Db, Tx } from '#platform/db/database.ts'
import { looksByIds, looksToWire, noLooks } from '../../products/index.ts'
import type { RequestContext } from '../rules/request-context.ts'
import type { Person, QuotationDeps } from '../dependencies.ts'
import { nextReminderAt } from '../actions/act-on-quotation.ts'
import type { ListedQuotation } from '../lists/list-store.ts'
import { makeFindPermissions, visible } from '../rules/hold-quotation.ts'
import { knownAmounts, knownTerms } from '../terms/known-terms-store.ts'
import { money } from '../quotation.ts'
import type { QuotationDetail, QuotationShape } from './schemas.ts'
import { findShown, type ShownQuotation } from './shown-store.ts'
import { frozenTerms } from '../terms/terms.ts'
import type { Surface } from '../rules/vocabulary.ts'

type ShowDeps = Pick<QuotationDeps, 'clock' | 'findPeople' | 'orders' | 'batchSize'>

/** Quotations as the API shows them, with a number of queries that does not grow with them. */
export const makeShowQuotations = ({ clock, findPeople, orders, batchSize }: ShowDeps) => {
  const findPermissions = makeFindPermissions({ batchSize, clock })
  return {
    /** As lists have them (document 3, "Quotation (list item)"), with what their amounts are in, when they end, and their version. */
    async summaries(
      db: Db | Tx,
      surface: Surface,
      quotations: readonly ListedQuotation[],
    ): Promise<Static<typeof QuotationShape>[]> {
      const [people, known] = await Promise.all([
        findPeople(db, [...new Set(quotations.map(({ userId }) => userId))]).then(byId),
        surface === 'storefront' ? knownAmounts(db, quotations) : undefined,
      ])
      return quotations.map((quotation) => ({
        ...summaryOf(quotation, people.get(quotation.userId)),
        ...known?.get(quotation.id),
      }))
    },

    /** A quotation with what is shown of it, if the principal may know of it. @throws AppError 404. */
    find: async (db: Db | Tx, context: RequestContext, id: number): Promise<ShownQuotation> =>
      visible(context, await findShown(db, id, { seesInternal: context.surface === 'admin' })),

    /** The whole of one, with what the caller may do with it by now. Buyers see the terms that they know. */
    async detail(
      db: Db | Tx,
      context: RequestContext,
      quotation: ShownQuotation,
    ): Promise<Static<typeof QuotationDetail>> {
      const seesInternal = context.surface === 'admin'
      const ids = [quotation.userId, quotation.assignee, quotation.reasonBy].filter((id) => id !== null)
      const [people, made, { allowed, blocked }, terms] = await Promise.all([
        findPeople(db, ids).then(byId),
        // It has none before it is approved, which sets the size.
        quotation.batchSize === null ? [] : orders.ordersOf(db, quotation.id),
        findPermissions(db, context, quotation),
        shownTerms(db, quotation, seesInternal),
      ])
      return {
        ...summaryOf(quotation, people.get(quotation.userId)),
        ...terms,
        revision: quotation.revision,
        sent_at: quotation.sentAt?.toISOString() ?? null,
        next_reminder_at: nextReminderAt(quotation, clock.now())?.toISOString() ?? null,
        reason: reasonOf(quotation, people),
        assignee: quotation.assignee === null ? null : briefOf(quotation.assignee, people.get(quotation.assignee)),
        // What the platform answered is nothing for buyers.
        orders: seesInternal ? [...made] : made.map((order) => ({ ...order, error: null, error_report: null })),
        batch_size: quotation.batchSize ?? batchSize,
        comments_count: quotation.commentsCount,
        allowed_actions: [...allowed],
        blocked_actions: { ...blocked },
        seen: quotation.seen && { revision: quotation.seen.seenRevision, at: quotation.seen.seenAt.toISOString() },
      }
    },
  }
}

/** The terms as the back office has them, or as buyers know them, with what the products look like now. */
const shownTerms = async (db: Db | Tx, quotation: ShownQuotation, seesInternal: boolean) => {
  const { terms } = quotation
  const { content, products } = seesInternal ? frozenTerms(terms) : await knownTerms(db, quotation, terms)
  const looks = await looksByIds(db, [...products.values()])
  const items = content.items.map((item) => ({
    ...item,
    ...looksToWire(looks.get(products.get(item.id) ?? 0) ?? noLooks),
  }))
  return { ...content, items }
}

const byId = (people: readonly Person[]): Map<number, Person> => new Map(people.map((person) => [person.id, person]))

/** A person as the API shows them beside something. */
export const briefOf = (id: number, person: Person | undefined) => ({
  id,
  first_name: person?.firstName ?? '',
  last_name: person?.lastName ?? '',
  email: person?.email ?? '',
})

const reasonOf = (quotation: ListedQuotation, people: ReadonlyMap<number, Person>) => {
  const { reason, reasonBy, status, modifiedAt } = quotation
  if (reason === null || reasonBy === null) return null
  const action = status === 'cancelled' ? ('cancel' as const) : ('reject' as const)
  // Only another status changes what is closed, and takes the reason away.
  return { text: reason, action, by: briefOf(reasonBy, people.get(reasonBy)), at: modifiedAt.toISOString() }
}

const summaryOf = (quotation: ListedQuotation, owner: Person | undefined) => ({
  id: quotation.id,
  number: quotation.number,
  total_amount: money(quotation.totalAmount, quotation.currency),
  net_amount: money(quotation.netAmount, quotation.currency),
  name: quotation.name,
  user: { ...briefOf(quotation.userId, owner), division: quotation.division },
  created_at: quotation.createdAt.toISOString(),
  modified_at: quotation.modifiedAt.toISOString(),
  status: quotation.status,
  currency: quotation.currency,
  expires_at: quotation.expiresAt?.toISOString() ?? null,
  version: quotation.version,
})
