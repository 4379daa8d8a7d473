import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { AppError } from '#platform/errors.ts'
import type { Write } from '#platform/http/idempotency.ts'
import { mediaTypeOf, refuseEncoded } from './content-headers.ts'
import type { ManageRuns } from './manage-runs.ts'
import { dataSchema } from './schemas.ts'

export interface DataRoutesDeps {
  readonly write: Write
  readonly baseUrl: () => string
  readonly runs: Pick<ManageRuns, 'start'>
  /** `/api/nifi/flows` unless configured otherwise. */
  readonly path: string
}

const config = { access: { role: 'staff', audience: 'flows' } } as const

/** Data for outbound flows, of any content type, passed on as it is (contract, sections 9 and 11: Flows). */
export const dataRoutes =
  ({ write, baseUrl, runs, path }: DataRoutesDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    // For the routes of this plugin alone: a parser that leaves everything as it is.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser<Buffer>('*', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => body)
    // Once it is known who calls, and before the body is read. The framework would blame every type on not being JSON.
    app.addHook('onRequest', async ({ headers }) => {
      mediaTypeOf(headers['content-type'])
      refuseEncoded(headers['content-encoding'])
    })

    app.post(`${path}/:flowId/data`, { schema: dataSchema, config }, async (request, reply) => {
      const { flowId } = request.params
      const content = { mediaType: mediaTypeOf(request.headers['content-type']), bytes: bytesOf(request.body) }
      return write(request, reply, async (tx) => {
        const runId = await runs.start(tx, flowId, content)
        const location = `${baseUrl()}${path}/${flowId}/runs/${runId}`
        return { status: 202, body: { run_id: runId, state: 'queued' }, headers: { location } }
      })
    })
  }

const bytesOf = (body: unknown): Buffer => {
  if (Buffer.isBuffer(body) && body.length > 0) return body
  throw new AppError('empty_body', 400, 'The body is empty; send the data as the body.')
}
