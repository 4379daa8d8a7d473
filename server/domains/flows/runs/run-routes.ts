import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { deliveryIdOf } from '#delivery/tables/webhook-id.ts'
import type { Db } from '#platform/db/database.ts'
import type { Write } from '#platform/http/idempotency.ts'
import { sendArray } from '#platform/http/pagination.ts'
import { timeFrom } from '#platform/time-text.ts'
import type { ManageRuns } from './manage-runs.ts'
import { toAttemptRecord, toRecord } from './run-record.ts'
import { getSchema, listSchema, retrySchema } from './schemas.ts'

export interface RunRoutesDeps {
  readonly db: Db
  readonly write: Write
  readonly baseUrl: () => string
  readonly installationId: string
  readonly runs: Omit<ManageRuns, 'start'>
  /** `/api/nifi/flows` unless configured otherwise. */
  readonly path: string
}

const config = { access: { role: 'staff', audience: 'flows' } } as const

/** What became of the data that was sent through a flow (contract, sections 9 and 11: Flows). */
export const runRoutes =
  ({ db, write, baseUrl, installationId, runs, path }: RunRoutesDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(`${path}/:flowId/runs`, { schema: listSchema, config }, async ({ params: { flowId }, query }, reply) => {
      const { page, limit, state, uuid, created_at__gte: from, created_at__lt: before } = query
      const createdFrom = timeFrom('created_at__gte', from)
      const createdBefore = timeFrom('created_at__lt', before)
      // What names nothing must match nothing: no delivery has the id 0.
      const id = uuid === undefined ? undefined : (deliveryIdOf(uuid, installationId) ?? 0)
      const { rows, count } = await runs.list(db, flowId, { state, id, createdFrom, createdBefore }, { page, limit })
      const records = rows.map((delivery) => toRecord(flowId, delivery, installationId))
      return sendArray(reply, baseUrl(), { page, limit }, { rows: records, count })
    })

    app.get(`${path}/:flowId/runs/:runId`, { schema: getSchema, config }, async ({ params: { flowId, runId } }) => {
      const { delivery, attempts } = await runs.findWithAttempts(db, flowId, runId)
      return { ...toRecord(flowId, delivery, installationId), attempt_log: attempts.map(toAttemptRecord) }
    })

    app.post(`${path}/:flowId/runs/:runId/retry`, { schema: retrySchema, config }, async (request, reply) => {
      const { flowId, runId } = request.params
      return write(request, reply, async (tx) => {
        const state = await runs.retry(tx, flowId, runId, request.body?.force ?? false)
        const location = `${baseUrl()}${path}/${flowId}/runs/${runId}`
        return { status: 202, body: { run_id: runId, state }, headers: { location } }
      })
    })
  }
