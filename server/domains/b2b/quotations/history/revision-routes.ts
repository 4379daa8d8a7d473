import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { orNotFound } from '#platform/errors.ts'
import { Envelope, envelope } from '#platform/lists/send-list.ts'
import { makeToWire } from '#platform/http/record-shape.ts'
import { Amount, Id, IdParams, Nullable, OneOf, Timestamp } from '#platform/http/schemas.ts'
import { auditList, listAudit, type ListedEntry } from './audit-store.ts'
import { contextOf } from '../rules/request-context.ts'
import type { QuotationDeps } from '../dependencies.ts'
import { differenceOf } from '../terms/difference.ts'
import {
  findRevision,
  listRevisions,
  revisionList,
  type Revision,
  type RevisionSummary,
} from '../terms/revision-store.ts'
import { idOf, reading, route } from '../surface/schemas.ts'
import { TermsShape } from '../terms/terms-schemas.ts'
import { quotationLifecycle } from '../rules/transitions.ts'
import { actors, pathOf, type Surface } from '../rules/vocabulary.ts'
import type { UseCases } from '../use-cases.ts'

const RevisionNumber = Type.Integer({ minimum: 1, maximum: 2_147_483_647 })
const RevisionParams = Type.Object({
  ...IdParams.properties,
  revision: { ...RevisionNumber, title: 'Revision', description: 'Number of the revision; the first is 1.' },
})
const TwoRevisionsParams = Type.Object({
  ...IdParams.properties,
  revision: { ...RevisionNumber, title: 'EarlierRevision', description: 'Number of the revision that is compared.' },
  other: { ...RevisionNumber, title: 'LaterRevision', description: 'Number of the revision that it is compared with.' },
})
const summary = { revision: RevisionNumber, created_by: Id, created_at: Timestamp, net_amount: Amount }
const RevisionSummaryShape = Type.Object(summary, {
  title: 'QuotationRevisionSummary',
  description: 'Terms that were submitted, sent or approved, by their sum.',
})
const RevisionPage = Type.Object(Envelope(RevisionSummaryShape).properties, {
  title: 'QuotationRevisionPage',
  description: 'A page of revisions.',
})
const RevisionShape = Type.Object(
  { ...summary, terms: TermsShape },
  { title: 'QuotationRevision', description: 'Terms that were submitted, sent or approved.' },
)
const { items, discounts } = TermsShape.properties
const amounts = Type.Object({ before: Amount, after: Amount })
const Difference = Type.Object(
  {
    total_amount: amounts,
    net_amount: amounts,
    items: Type.Array(Type.Object({ id: Id, before: Nullable(items.items), after: Nullable(items.items) }), {
      description: 'Those that differ; `before` is null for one that was added, `after` for one that was removed.',
    }),
    discounts: Type.Array(Type.Object({ id: Id, before: Nullable(discounts.items), after: Nullable(discounts.items) })),
  },
  { title: 'QuotationDifference', description: 'What differs between two revisions.' },
)
const listOptions = (surface: Surface) =>
  route[surface](
    reading[surface](
      idOf('list', surface, 'Revisions'),
      'List the revisions of a quotation, the oldest first',
      'The first has the terms that were submitted; each later one those that were sent or approved.',
    ),
    { params: IdParams, querystring: revisionList.querystring, response: { 200: RevisionPage } },
  )
const getOptions = (surface: Surface) =>
  route[surface](reading[surface](idOf('get', surface, 'Revision'), 'Read a revision of a quotation'), {
    params: RevisionParams,
    response: { 200: RevisionShape },
  })
const diffOptions = (surface: Surface) => {
  const operationId = idOf('compare', surface, 'Revisions')
  return route[surface](reading[surface](operationId, 'Say what differs between two revisions of a quotation'), {
    params: TwoRevisionsParams,
    response: { 200: Difference },
  })
}

const summaryOf = makeToWire<RevisionSummary, typeof RevisionSummaryShape>(RevisionSummaryShape, {})

/** Terms as they were sent, on both surfaces. */
export const revisionRoutes =
  ({ db, baseUrl }: QuotationDeps, { read }: UseCases, surface: Surface): FastifyPluginAsyncTypebox =>
  async (app) => {
    const path = `${pathOf[surface]}/:id/revisions`
    const revisionOf = async (id: number, revision: number): Promise<Revision> =>
      orNotFound(await findRevision(db, id, revision))

    app.get(path, listOptions(surface), async (request, reply) => {
      const { id } = await read(db, contextOf(request, surface), request.params.id)
      return envelope(reply, baseUrl(), await listRevisions(db, id, request.query), summaryOf)
    })

    app.get(`${path}/:revision`, getOptions(surface), async (request) => {
      const { id } = await read(db, contextOf(request, surface), request.params.id)
      const revision = await revisionOf(id, request.params.revision)
      const { content } = revision
      return { ...summaryOf({ ...revision, netAmount: content.net_amount }), terms: content }
    })

    app.get(`${path}/:revision/diff/:other`, diffOptions(surface), async (request) => {
      const { id } = await read(db, contextOf(request, surface), request.params.id)
      const before = await revisionOf(id, request.params.revision)
      const after = await revisionOf(id, request.params.other)
      return differenceOf(before.content, after.content)
    })
  }

const Changed = Nullable(Type.Record(Type.String(), Type.Unknown()))
const AuditEntry = Type.Object(
  {
    id: Id,
    action: OneOf(['create', ...quotationLifecycle.actions]),
    user: Nullable(Id),
    actor: OneOf(actors, { description: 'As what they did it; `time` is nobody.' }),
    surface: OneOf(['storefront', 'admin']),
    before: Changed,
    after: Changed,
    request_id: Nullable(Type.String({ description: 'The `x-request-id` of the request.' })),
    created_at: Timestamp,
  },
  { title: 'QuotationAuditEntry', description: 'A change of a quotation: by whom, as what, and where.' },
)
const auditOptions = route.admin(
  reading.admin(
    'listQuotationAudit',
    'List the changes of a quotation, the oldest first',
    'Who changed what, as what, and where. Nothing of it is ever changed or removed. Of an edit that touches more than 200 items ' +
      'and divisions it has how many there were.',
  ),
  { params: IdParams, querystring: auditList.querystring, response: { 200: Envelope(AuditEntry) } },
)
const entryToWire = makeToWire<ListedEntry, typeof AuditEntry>(AuditEntry, {
  user: 'userId',
  before: ({ before }) => before,
  after: ({ after }) => after,
})

/** Who changed what, for the back office. */
export const auditRoutes =
  ({ db, baseUrl }: QuotationDeps, { read }: UseCases): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(`${pathOf.admin}/:id/audit`, auditOptions, async (request, reply) => {
      const { id } = await read(db, contextOf(request, 'admin'), request.params.id)
      return envelope(reply, baseUrl(), await listAudit(db, id, request.query), entryToWire)
    })
  }
