import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from '#platform/errors.ts'
import { sendList } from '#platform/lists/send-list.ts'
import type { Dependencies } from '../dependencies.ts'
import type { Buckets } from './bucket-store.ts'
import { makeReportChanges } from './change-report.ts'
import { listReports } from './list-reports.ts'
import type { ReportQuery } from './list-store.ts'
import {
  deleteSchema,
  errorCodeSchema,
  getSchema,
  kindListSchemas,
  listSchema,
  objectIdSchema,
  patchSchema,
} from './schemas.ts'
import type { ShowReports } from './show-reports.ts'
import { findReport } from './store.ts'

const read = { access: { role: 'staff', scope: 'error-reports:read' } } as const
const write = { access: { role: 'staff', scope: 'error-reports:write' } } as const
const path = '/api/v1/error_reports'

/** The lists, and what is done with a single report (document 2). */
export const reportRoutes =
  (
    { db, clock, baseUrl, write: writeOnce }: Dependencies,
    { buckets, show }: { readonly buckets: Buckets; readonly show: ShowReports },
  ): FastifyPluginAsyncTypebox =>
  async (app) => {
    const changes = makeReportChanges({ buckets, clock })
    const list = async (request: FastifyRequest, reply: FastifyReply, query: ReportQuery, kind?: string) => {
      const { rows, count } = await listReports(db, query, kind)
      return sendList(reply, baseUrl(), { rows: await show.many(db, rows, request.principal), count })
    }

    app.get(path, { schema: listSchema, config: read }, async (request, reply) => list(request, reply, request.query))
    for (const [kind, schema] of Object.entries(kindListSchemas))
      app.get(`${path}/${kind}`, { schema, config: read }, async (request, reply) =>
        list(request, reply, request.query, kind),
      )

    app.get(`${path}/:id`, { schema: getSchema, config: read }, async ({ params, principal }) => {
      const report = await findReport(db, params.id)
      if (report === undefined) throw notFound()
      return show.one(db, report, principal)
    })
    app.patch(`${path}/:id`, { schema: patchSchema, config: write }, async (request, reply) =>
      writeOnce(request, reply, async (tx) => {
        await changes.patch(tx, request.params.id, request.body, request.principal.userId)
        return { status: 200 }
      }),
    )
    app.delete(`${path}/:id`, { schema: deleteSchema, config: write }, async (request, reply) =>
      writeOnce(request, reply, async (tx) => {
        await changes.remove(tx, request.params.id)
        return { status: 204 }
      }),
    )
    app.patch(
      `${path}/:id/update_action_object_id`,
      { schema: objectIdSchema, config: write },
      async (request, reply) =>
        writeOnce(request, reply, async (tx) => {
          const { action_object_id: id } = request.body
          const patch = id === undefined ? {} : { action_object_id: id }
          const report = await changes.patch(tx, request.params.id, patch, request.principal.userId)
          return { status: 200, body: await show.one(tx, report, request.principal) }
        }),
    )
    app.patch(`${path}/:id/update_error_code`, { schema: errorCodeSchema, config: write }, async (request, reply) =>
      writeOnce(request, reply, async (tx) => {
        const { error_code: code } = request.body
        const patch = code === undefined ? {} : { error_code: code }
        const report = await changes.patch(tx, request.params.id, patch, request.principal.userId)
        return { status: 200, body: await show.one(tx, report, request.principal) }
      }),
    )
  }
