import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Db } from '#platform/db/database.ts'
import type { Write } from '#platform/http/idempotency.ts'
import { sendArray } from '#platform/http/pagination.ts'
import { toRecord } from './flow-record.ts'
import type { ManageFlows } from './manage-flows.ts'
import { createSchema, getSchema, listSchema, patchSchema, removeSchema } from './schemas.ts'

export interface FlowRoutesDeps {
  readonly db: Db
  readonly write: Write
  readonly baseUrl: () => string
  readonly flows: ManageFlows
  /** `/api/nifi/flows` unless configured otherwise. */
  readonly path: string
}

/** No scope: there is none for flows, so limited keys are refused. */
const config = { access: { role: 'staff', audience: 'flows' } } as const

/** Where data goes through, and where to (contract, sections 9 and 11: Flows). */
export const flowRoutes =
  ({ db, write, baseUrl, flows, path }: FlowRoutesDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(path, { schema: createSchema, config }, async (request, reply) =>
      write(request, reply, async (tx) => {
        const flow = await flows.create(tx, request.principal.userId, request.body)
        return { status: 201, body: toRecord(flow), headers: { location: `${baseUrl()}${path}/${flow.id}` } }
      }),
    )

    app.get(path, { schema: listSchema, config }, async ({ query: { page, limit } }, reply) => {
      const { rows, count } = await flows.list(db, { page, limit })
      return sendArray(reply, baseUrl(), { page, limit }, { rows: rows.map(toRecord), count })
    })

    app.get(`${path}/:flowId`, { schema: getSchema, config }, async ({ params }) =>
      toRecord(await flows.find(db, params.flowId)),
    )

    app.patch(`${path}/:flowId`, { schema: patchSchema, config }, async (request, reply) =>
      write(request, reply, async (tx) => ({
        status: 200,
        body: toRecord(await flows.change(tx, request.params.flowId, request.body)),
      })),
    )

    app.delete(`${path}/:flowId`, { schema: removeSchema, config }, async (request, reply) =>
      write(request, reply, async (tx) => {
        await flows.remove(tx, request.params.flowId)
        return { status: 204 }
      }),
    )
  }
