import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { recordRoutes } from '#platform/http/record-routes.ts'
import { makeToWire } from '#platform/http/record-shape.ts'
import { makeRouteOptions, operationsFor } from '#platform/http/route-options.ts'
import { errorResponses, Id, Nullable, Timestamp } from '#platform/http/schemas.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import { auditList, listAudit, type ListedEntry } from './store.ts'

const FieldsShape = Nullable(Type.Record(Type.String(), Type.Unknown()))

const AuditEntryView = Type.Object(
  {
    id: Id,
    user: Nullable(
      Type.Object(
        { id: Id, email: Nullable(Type.String()) },
        { description: 'Who did it; null where nobody was known.' },
      ),
    ),
    surface: Type.String({ description: 'Method and path of the operation.', examples: ['PATCH /api/v1/users/:id'] }),
    action: Type.String({ description: 'The operation.', examples: ['updateUser'] }),
    object_type: Type.String({ description: 'What it was done to, as paths name it.', examples: ['users'] }),
    object_id: Nullable(Type.String()),
    before: FieldsShape,
    after: FieldsShape,
    request_id: Nullable(Type.String()),
    created_at: Timestamp,
  },
  {
    title: 'AuditEntry',
    description:
      'Something that somebody did: what was sent, without secrets, and where it is known what was there before.',
  },
)

const toWire = makeToWire<ListedEntry, typeof AuditEntryView>(AuditEntryView, {
  user: ({ userId, email }) => (userId === null ? null : { id: userId, email }),
  before: ({ before }) => before,
  after: ({ after }) => after,
})

/** No scope: it tells about everybody. */
const operation = operationsFor({ access: { role: 'superuser' } })
const route = makeRouteOptions('Audit', errorResponses)

/** Who did what, for superusers. */
export const auditRoutes =
  (deps: SliceDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const kind = { path: '/api/v1/audit', route, record: AuditEntryView, toWire }
    recordRoutes(app, deps, kind).list(
      operation(
        'listAudit',
        'List who did what',
        'The newest first, for a year. Changes of quotations have an audit of their own. More than 10,000 are counted as 10,000.',
      ),
      auditList,
      listAudit,
    )
  }
