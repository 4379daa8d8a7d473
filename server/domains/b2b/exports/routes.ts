import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { orNotFound } from '#platform/errors.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import { itemsRequest, listRequest, type makeAskForExport } from './requested.ts'
import type { Export, ExportRequest } from './export.ts'
import type { DownloadLinks } from './links.ts'
import { exportItems, exportList, type ExportState } from './schemas.ts'
import { findByKey } from './store.ts'

const path = '/api/v1/quotations'
const options = {
  // A HEAD would begin an export, and answer nothing about it.
  exposeHeadRoute: false,
  // Of a request with a key nothing else is read, so nothing else can be wrong with it.
  attachValidation: true,
} as const

export interface ExportRoutesDeps extends Pick<SliceDeps, 'db' | 'clock' | 'baseUrl'> {
  readonly ask: ReturnType<typeof makeAskForExport>
  readonly links: Pick<DownloadLinks, 'link'>
}

interface Question {
  readonly quotationId: number | null
  readonly requestOf: (userId: number) => Promise<ExportRequest>
}

/** The key that is asked about; undefined to begin an export. @throws what is wrong with the request, where there is no key. */
const keyOf = ({ validationError, query }: FastifyRequest): string | undefined => {
  const { status_cache_key: key } = query as Readonly<Record<string, unknown>>
  // Of the path: there is no such quotation.
  const isOfPath = validationError?.validationContext === 'params'
  if (validationError !== undefined && (isOfPath || typeof key !== 'string')) throw validationError
  return typeof key === 'string' ? key : undefined
}

/** How far an export is, as its user reads it. */
export const stateOf = (
  { id, status, rowsDone, rowsTotal, error, expiresAt }: Export,
  links: ExportRoutesDeps['links'],
): ExportState => ({
  is_ready: status === 'completed',
  url: status === 'completed' ? links.link(id, expiresAt) : '',
  status,
  rows_done: rowsDone,
  rows_total: rowsTotal,
  // Before that it is why a try failed that was not the last.
  error: status === 'failed' ? error : null,
})

/** Exports of quotations (document 3, "Export"). */
export const exportRoutes =
  ({ db, clock, ask, links }: ExportRoutesDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const answer = async (
      request: FastifyRequest,
      reply: FastifyReply,
      { quotationId, requestOf }: Question,
    ): Promise<FastifyReply> => {
      const { userId } = request.principal
      const cacheKey = keyOf(request)
      if (cacheKey === undefined)
        return reply.code(202).send({ status_cache_key: (await ask(await requestOf(userId))).cacheKey })
      const found = orNotFound(await findByKey(db, { cacheKey, userId, quotationId }, clock.now()))
      return reply.send(stateOf(found, links))
    }

    app.get(`${path}/export`, { ...exportList, ...options }, async (request, reply) => {
      const { status_cache_key: _, ...asked } = request.query
      const requestOf = (userId: number) => listRequest(db, { userId }, asked)
      return answer(request, reply, { quotationId: null, requestOf })
    })

    app.get(`${path}/:id/export`, { ...exportItems, ...options }, async (request, reply) => {
      const { status_cache_key: _, ...asked } = request.query
      const { id: quotationId } = request.params
      const requestOf = (userId: number) => itemsRequest(db, { userId, quotationId }, asked)
      return answer(request, reply, { quotationId, requestOf })
    })
  }
