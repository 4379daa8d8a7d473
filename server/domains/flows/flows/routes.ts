import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Db } from '#platform/db/database.ts'
import type { Write } from '#platform/http/idempotency.ts'
import { sendList } from '#platform/lists/send-list.ts'
import { toRecord } from './flow-record.ts'
import { operation, route } from './flow-surface.ts'
import type { ManageFlows } from './manage-flows.ts'
import { flowList } from './store.ts'
import { FlowParams, FlowRecord, NewFlow, PartOfFlow } from './schemas.ts'

export interface FlowRoutesDeps {
  readonly db: Db
  readonly write: Write
  readonly baseUrl: () => string
  readonly flows: ManageFlows
  /** `/api/nifi/flows` unless configured otherwise. */
  readonly path: string
}

/** Where data goes through, and where to (contract, sections 9 and 11: Flows). */
export const flowRoutes =
  ({ db, write, baseUrl, flows, path }: FlowRoutesDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(path, create, async (request, reply) =>
      write(request, reply, async (tx) => {
        const flow = await flows.create(tx, request.principal.userId, request.body)
        return { status: 201, body: toRecord(flow), headers: { location: `${baseUrl()}${path}/${flow.id}` } }
      }),
    )

    app.get(path, list, async ({ query }, reply) => sendList(reply, baseUrl(), await flows.list(db, query), toRecord))

    app.get(`${path}/:flowId`, get, async ({ params }) => toRecord(await flows.find(db, params.flowId)))

    app.patch(`${path}/:flowId`, patch, async (request, reply) =>
      write(request, reply, async (tx) => ({
        status: 200,
        body: toRecord(await flows.change(tx, request.params.flowId, request.body)),
      })),
    )

    app.delete(`${path}/:flowId`, remove, async (request, reply) =>
      write(request, reply, async (tx) => {
        await flows.remove(tx, request.params.flowId)
        return { status: 204 }
      }),
    )
  }

const one = { params: FlowParams, response: { 200: FlowRecord } }
const create = route(operation('createFlow', 'Create a flow'), { body: NewFlow, response: { 201: FlowRecord } })
const list = route(operation('listFlows', 'List flows'), {
  querystring: flowList.querystring,
  response: { 200: Type.Array(FlowRecord) },
})
const get = route(operation('getFlow', 'Get a flow'), one)
const patch = route(
  operation(
    'changeFlow',
    'Change a flow',
    'Everything but the direction. When the target moves to another scheme, host or port, headers that carry credentials have ' +
      'to be sent again. Switching a flow on sends what was kept while its target was switched off. Another `secret` signs at once and ' +
      'alone; `POST …/secret` changes it with an overlap.',
  ),
  { ...one, body: PartOfFlow },
)
const remove = route(
  operation('removeFlow', 'Remove a flow', 'Runs that have not succeeded fail; all of its runs can still be read.'),
  { params: FlowParams, response: { 204: Type.Null() } },
)
