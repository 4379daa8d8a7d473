import type { Static } from 'typebox'
import type { Db, Tx } from '#platform/db/database.ts'
import { divisionsByIds, type Division } from '../../divisions/index.ts'
import type { RequestContext } from '../rules/request-context.ts'
import { countComments } from '../history/comment-store.ts'
import type { Person, QuotationDeps } from '../dependencies.ts'
import { makeFindPermissions } from '../rules/hold-quotation.ts'
import { knownAmounts, knownTerms } from '../terms/known-terms-store.ts'
import { money, toData, type Quotation } from '../quotation.ts'
import type { QuotationDetail, QuotationShape } from './schemas.ts'
import { readTerms } from '../terms/terms-store.ts'
import { termsToWire } from '../terms/terms.ts'
import type { Surface } from '../rules/vocabulary.ts'

type ShowDeps = Pick<QuotationDeps, 'clock' | 'findPeople' | 'orders' | 'batchSize'>

/** Quotations as the API shows them, with a number of queries that does not grow with them. */
export const makeShowQuotations = ({ clock, findPeople, orders, batchSize }: ShowDeps) => {
  const findPermissions = makeFindPermissions({ batchSize, clock })
  const ownersOf = async (db: Db | Tx, quotations: readonly Quotation[]) => {
    const [people, divisions] = await Promise.all([
      findPeople(db, [...new Set(quotations.map(({ userId }) => userId))]),
      divisionsByIds(db, [...new Set(quotations.map(({ divisionId }) => divisionId))]),
    ])
    return { people: byId(people), divisions }
  }

  return {
    /** As lists have them (document 3, "Quotation (list item)"). */
    async summaries(
      db: Db | Tx,
      surface: Surface,
      quotations: readonly Quotation[],
    ): Promise<Static<typeof QuotationShape>[]> {
      const { people, divisions } = await ownersOf(db, quotations)
      const known = surface === 'storefront' ? await knownAmounts(db, quotations) : undefined
      return quotations.map((quotation) => ({
        ...summaryOf(quotation, people.get(quotation.userId), divisions.get(quotation.divisionId)),
        ...known?.get(quotation.id),
      }))
    },

    /** The whole of one, with what the caller may do with it. Buyers see the terms that they know. */
    async detail(db: Db | Tx, context: RequestContext, quotation: Quotation): Promise<Static<typeof QuotationDetail>> {
      const seesInternal = context.surface === 'admin'
      const ids = [quotation.userId, ...(quotation.assignee === null ? [] : [quotation.assignee])]
      const [found, divisions, made, { allowed, blocked }, terms, comments] = await Promise.all([
        findPeople(db, ids),
        divisionsByIds(db, [quotation.divisionId]),
        orders.ordersOf(db, quotation.id),
        findPermissions(db, context, quotation),
        seesInternal ? readTerms(db, quotation).then(termsToWire) : knownTerms(db, quotation).then(contentOf),
        countComments(db, quotation.id, { seesInternal }),
      ])
      const people = byId(found)
      const { revision, version, expires_at: expiresAt } = toData(quotation)
      return {
        ...summaryOf(quotation, people.get(quotation.userId), divisions.get(quotation.divisionId)),
        ...terms,
        revision,
        version,
        expires_at: expiresAt,
        sent_at: quotation.sentAt?.toISOString() ?? null,
        assignee: quotation.assignee === null ? null : briefOf(quotation.assignee, people.get(quotation.assignee)),
        // What the platform answered is nothing for buyers.
        orders: seesInternal ? [...made] : made.map((order) => ({ ...order, error: null, error_report: null })),
        comments_count: comments,
        allowed_actions: [...allowed],
        blocked_actions: { ...blocked },
      }
    },
  }
}

const contentOf = <T>({ content }: { readonly content: T }): T => content
const byId = (people: readonly Person[]): Map<number, Person> => new Map(people.map((person) => [person.id, person]))

/** A person as the API shows them beside something. */
export const briefOf = (id: number, person: Person | undefined) => ({
  id,
  first_name: person?.firstName ?? '',
  last_name: person?.lastName ?? '',
  email: person?.email ?? '',
})

const summaryOf = (quotation: Quotation, owner: Person | undefined, division: Division | undefined) => ({
  id: quotation.id,
  number: quotation.number,
  total_amount: money(quotation.totalAmount, quotation.currency),
  net_amount: money(quotation.netAmount, quotation.currency),
  name: quotation.name,
  user: {
    ...briefOf(quotation.userId, owner),
    division: {
      id: quotation.divisionId,
      name: division?.name ?? '',
      phone_number: division?.phoneNumber ?? '',
      erp_code: division?.erpCode ?? '',
    },
  },
  created_at: quotation.createdAt.toISOString(),
  modified_at: quotation.modifiedAt.toISOString(),
  status: quotation.status,
})
