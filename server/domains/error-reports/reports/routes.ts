import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RetryReports } from '#failures/retry-report.ts'
import { orNotFound } from '#platform/errors.ts'
import { acceptQuotedTexts } from '#platform/http/json-body.ts'
import { sendList } from '#platform/lists/send-list.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import { findChannel } from '../channels/index.ts'
import { makeReportChanges, ofChannel, type ReportKey } from './change-report.ts'
import { listReports } from './list-reports.ts'
import type { ReportQuery } from './list-store.ts'
import { makeRetryReport } from './retry-report.ts'
import * as options from './schemas.ts'
import type { ReportPatch } from './report-shapes.ts'
import { makeShowReports } from './show-reports.ts'
import { findReport } from './store.ts'

const path = '/api/v1/error_reports'
const channelPath = '/api/v1/channel/:channel_id/error_reports'

/** The lists, and what is done with a single report (document 2; contract, section 6). */
export const reportRoutes =
  ({ db, clock, baseUrl, write }: SliceDeps, retryReports: RetryReports): FastifyPluginAsyncTypebox =>
  async (app) => {
    acceptQuotedTexts(app)
    const changes = makeReportChanges({ clock })
    const retry = makeRetryReport(clock, retryReports)
    const show = makeShowReports(retryReports, baseUrl)
    const list = async (request: FastifyRequest, reply: FastifyReply, query: ReportQuery, kind?: string) => {
      const { rows, ...found } = await listReports(db, query, kind)
      return sendList(reply, baseUrl(), { rows: await show.many(db, rows, request.principal), ...found })
    }

    app.get(path, options.listOptions, async (request, reply) => list(request, reply, request.query))
    for (const [kind, kindOptions] of Object.entries(options.kindListOptions))
      app.get(`${path}/${kind}`, kindOptions, async (request, reply) => list(request, reply, request.query, kind))

    app.get(channelPath, options.listOfChannelOptions, async (request, reply) => {
      const { channel_id: channel } = request.params
      orNotFound(await findChannel(db, channel))
      return list(request, reply, { ...request.query, channel })
    })
    for (const { path: onePath, ...one } of [
      { path: `${path}/:id`, ...options.oneOptions },
      { path: `${channelPath}/:id`, ...options.oneOfChannelOptions },
    ]) {
      app.get(onePath, one.get, async ({ params, principal }) => {
        const key = keyOf(params)
        return show.one(db, ofChannel(await findReport(db, key.id), key), principal)
      })
      app.patch(onePath, one.patch, async (request, reply) =>
        write(request, reply, async (tx) => {
          await changes.patch(tx, keyOf(request.params), request.body, request.principal.userId)
          return { status: 200 }
        }),
      )
      app.delete(onePath, one.remove, async (request, reply) =>
        write(request, reply, async (tx) => {
          await changes.remove(tx, keyOf(request.params))
          return { status: 204 }
        }),
      )
    }
    const patchField = (request: FastifyRequest, reply: FastifyReply, id: number, patch: ReportPatch) =>
      write(request, reply, async (tx) => {
        const report = await changes.patch(tx, { id }, patch, request.principal.userId)
        return { status: 200, body: await show.one(tx, report, request.principal) }
      })
    app.patch(`${path}/:id/update_action_object_id`, options.objectIdOptions, async (request, reply) =>
      patchField(request, reply, request.params.id, request.body),
    )
    app.patch(`${path}/:id/update_error_code`, options.errorCodeOptions, async (request, reply) =>
      patchField(request, reply, request.params.id, request.body),
    )
    app.post(`${path}/:id/retry`, options.retryOptions, async (request, reply) =>
      write(request, reply, async (tx) => {
        const { principal, id: requestId } = request
        const report = await retry(tx, request.params.id, { principal, requestId })
        return { status: 202, body: await show.one(tx, report, principal) }
      }),
    )
  }

const keyOf = ({ id, channel_id: channel }: { readonly id: number; readonly channel_id?: number }): ReportKey => ({
  id,
  ...(channel === undefined ? {} : { channel }),
})
