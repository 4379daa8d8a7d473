import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import { notFound } from '#platform/errors.ts'
import type { makeAskForExport } from './ask-for-export.ts'
import type { Export, ExportRequest } from './export.ts'
import type { DownloadLinks } from './links.ts'
import { itemsRequest, listRequest } from './requested.ts'
import { exportItemsSchema, exportListSchema, type ExportState } from './schemas.ts'
import { findByKey } from './store.ts'

const path = '/api/v1/quotations'
// A HEAD would begin an export, and answer nothing about it.
const options = {
  config: { access: { role: 'staff', scope: 'quotations:read' } },
  exposeHeadRoute: false,
} as const

export interface ExportRoutesDeps {
  readonly db: Db
  readonly clock: Clock
  readonly ask: ReturnType<typeof makeAskForExport>
  readonly links: Pick<DownloadLinks, 'link'>
}

interface Question {
  readonly quotationId: number | null
  readonly cacheKey: string | undefined
  readonly requestOf: (userId: number) => Promise<ExportRequest>
}

/** Exports of quotations (document 3, "Export"). */
export const exportRoutes =
  ({ db, clock, ask, links }: ExportRoutesDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const answer = async (
      { principal: { userId } }: FastifyRequest,
      reply: FastifyReply,
      { quotationId, cacheKey, requestOf }: Question,
    ): Promise<FastifyReply> => {
      if (cacheKey === undefined)
        return reply.code(202).send({ status_cache_key: (await ask(await requestOf(userId))).cacheKey })
      const found = await findByKey(db, { cacheKey, userId, quotationId }, clock.now())
      if (found === undefined) throw notFound()
      return reply.send(stateOf(found))
    }

    const stateOf = ({ id, status, rowsDone, rowsTotal, error, expiresAt }: Export): ExportState => ({
      is_ready: status === 'completed',
      url: status === 'completed' ? links.link(id, expiresAt) : '',
      status,
      rows_done: rowsDone,
      rows_total: rowsTotal,
      error,
    })

    app.get(`${path}/export`, { ...options, schema: exportListSchema }, async (request, reply) => {
      const { status_cache_key: cacheKey, ...asked } = request.query
      const requestOf = (userId: number) => listRequest(db, { userId }, asked)
      return answer(request, reply, { quotationId: null, cacheKey, requestOf })
    })

    app.get(`${path}/:id/export`, { ...options, schema: exportItemsSchema }, async (request, reply) => {
      const { status_cache_key: cacheKey, ...asked } = request.query
      const { id: quotationId } = request.params
      const requestOf = (userId: number) => itemsRequest(db, { userId, quotationId }, asked)
      return answer(request, reply, { quotationId, cacheKey, requestOf })
    })
  }
