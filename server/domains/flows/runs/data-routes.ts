import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { isMediaType } from '#delivery/outbox/message.ts'
import type { Outbox } from '#delivery/outbox/outbox.ts'
import type { Tx } from '#platform/db/database.ts'
import { AppError, conflict, orNotFound } from '#platform/errors.ts'
import { Id, OneOf } from '#platform/http/schemas.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import { FlowParams, holdFlow, operation, route, scopeOf } from '../flows/index.ts'
import { runStates } from './run-state.ts'

export interface DataRoutesDeps extends Pick<SliceDeps, 'write' | 'baseUrl'> {
  readonly outbox: Pick<Outbox, 'send'>
  /** `/api/nifi/flows` unless configured otherwise. */
  readonly path: string
}

export const RunState = OneOf(runStates, {
  description:
    'queued: not tried yet; running: tried, and due again; succeeded: the target answered 2xx; failed: given up, or the flow was removed.',
})
export const StartedRun = Type.Object(
  { run_id: Id, state: RunState },
  { title: 'StartedRun', description: 'The run that sends the data.' },
)

/** Data for outbound flows, of any content type, passed on as it is (contract, sections 9 and 11: Flows). */
export const dataRoutes =
  ({ write, baseUrl, outbox, path }: DataRoutesDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    // For the routes of this plugin alone: a parser that leaves everything as it is.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser<Buffer>('*', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => body)
    // Once it is known who calls, and before the body is read. The framework would blame every type on not being JSON.
    app.addHook('onRequest', async ({ headers }) => {
      mediaTypeOf(headers['content-type'])
      refuseEncoded(headers['content-encoding'])
    })

    app.post(`${path}/:flowId/data`, send, async (request, reply) => {
      const { flowId } = request.params
      const content = { mediaType: mediaTypeOf(request.headers['content-type']), bytes: bytesOf(request.body) }
      return write(request, reply, async (tx) => {
        const runId = await start(tx, outbox, flowId, content)
        const location = `${baseUrl()}${path}/${flowId}/runs/${runId}`
        return { status: 202, body: { run_id: runId, state: 'queued' }, headers: { location } }
      })
    })
  }

interface Content {
  readonly mediaType: string
  readonly bytes: Buffer
}

/**
 * Stores data to be sent to the flow's target. The flow is held: it is not switched off or removed meanwhile.
 * @returns the id of the run.
 * @throws AppError 404; 409 for an inbound flow, and for one that a person has switched off.
 */
const start = async (tx: Tx, outbox: Pick<Outbox, 'send'>, flowId: number, content: Content): Promise<number> => {
  const flow = orNotFound(await holdFlow(tx, flowId))
  if (flow.direction === 'inbound')
    throw conflict('flow_inbound', 'This flow is inbound; data can be sent only to outbound flows.')
  const object = { type: 'flow', id: flowId } as const
  // The type is what the log of deliveries calls the data of a flow.
  const message = { type: 'flow.data', scope: scopeOf(flowId), object, content }
  const runId = await outbox.send(tx, flow.subscriptionId, message)
  if (runId === undefined) throw flowInactive()
  return runId
}

export const flowInactive = () =>
  conflict('flow_inactive', 'This flow is switched off (is_active is false); switch it on to send data.')

/** What a request without a content type brings (RFC 9110, section 8.3). */
const unknownType = 'application/octet-stream'

/**
 * The media type that the data goes on with, as it was sent.
 * @param header value of `content-type`; undefined when there is none.
 * @throws AppError 415 for one that cannot be sent on.
 */
export const mediaTypeOf = (header: string | undefined): string => {
  if (header === undefined) return unknownType
  if (isMediaType(header)) return header
  const message = 'Content-Type is not a media type such as text/csv; charset=utf-8, of at most 255 ASCII characters.'
  throw new AppError('unsupported_media_type', 415, message)
}

/**
 * Refuses data that is packed: a delivery does not say so, and its receiver could not read it.
 * @param header value of `content-encoding`; undefined when there is none.
 * @throws AppError 415.
 */
export const refuseEncoded = (header: string | undefined): void => {
  if (/^(identity)?$/i.test(header ?? '')) return
  const message =
    'Send the data without Content-Encoding: it goes on byte for byte, and the receiver would not know how to unpack it.'
  throw new AppError('unsupported_media_type', 415, message, { headers: { 'accept-encoding': 'identity' } })
}

const bytesOf = (body: unknown): Buffer => {
  if (Buffer.isBuffer(body) && body.length > 0) return body
  throw new AppError('empty_body', 400, 'The body is empty; send the data as the body.')
}

const send = route(
  operation(
    'sendFlowData',
    'Send data through a flow',
    'The body, of any content type and at most 1 MiB, goes to the target of the outbound flow byte for byte, with its content ' +
      'type (application/octet-stream where there is none). 202 means that it is stored, and sent until the target takes it. ' +
      'Repeated with its Idempotency-Key, the request gets the first answer, and nothing is sent twice. ' +
      'Packed data (Content-Encoding) is refused: the target could not read it.',
  ),
  {
    consumes: ['*/*'],
    params: FlowParams,
    body: Type.Unsafe<unknown>({ description: 'The data.' }),
    response: { 202: StartedRun },
  },
)
