import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { notFound } from '#platform/errors.ts'
import { orderingOf, sendArray } from '#platform/http/pagination.ts'
import type { Dependencies } from '../dependencies.ts'
import type { Cells } from './cell-store.ts'
import { makeReportChanges } from './change-report.ts'
import { filtersOf } from './filters.ts'
import { listReports } from './list-reports.ts'
import { toWire } from './report.ts'
import {
  deleteSchema,
  errorCodeSchema,
  getSchema,
  kindListSchemas,
  listSchema,
  objectIdSchema,
  patchSchema,
  type ReportQuery,
} from './schemas.ts'
import { findReport } from './store.ts'

const read = { access: { role: 'staff', scope: 'error-reports:read' } } as const
const write = { access: { role: 'staff', scope: 'error-reports:write' } } as const
const base = '/api/v1/error_reports'

/** The lists, and what is done with a single report (document 2). */
export const reportRoutes =
  ({ db, clock, baseUrl, write: writeOnce }: Dependencies, cells: Cells): FastifyPluginAsyncTypebox =>
  async (app) => {
    const changes = makeReportChanges({ cells, clock })
    const list = (query: ReportQuery, kind?: string) =>
      listReports(db, filtersOf(query, kind), query, orderingOf(query.ordering ?? '-id'))

    app.get(base, { schema: listSchema, config: read }, async ({ query }, reply) => {
      const { rows, count } = await list(query)
      return sendArray(reply, baseUrl(), query, { rows: rows.map((row) => toWire(row, baseUrl())), count })
    })
    for (const [kind, schema] of Object.entries(kindListSchemas)) {
      app.get(`${base}/${kind}`, { schema, config: read }, async ({ query }, reply) => {
        const { rows, count } = await list(query, kind)
        return sendArray(reply, baseUrl(), query, { rows: rows.map((row) => toWire(row, baseUrl())), count })
      })
    }

    app.get(`${base}/:id`, { schema: getSchema, config: read }, async ({ params }) => {
      const report = await findReport(db, params.id)
      if (report === undefined) throw notFound()
      return toWire(report, baseUrl())
    })
    app.patch(`${base}/:id`, { schema: patchSchema, config: write }, async (request, reply) =>
      writeOnce(request, reply, async (tx) => {
        await changes.patch(tx, request.params.id, request.body, request.principal.userId)
        return { status: 200 }
      }),
    )
    app.delete(`${base}/:id`, { schema: deleteSchema, config: write }, async (request, reply) =>
      writeOnce(request, reply, async (tx) => {
        await changes.remove(tx, request.params.id)
        return { status: 204 }
      }),
    )
    app.patch(
      `${base}/:id/update_action_object_id`,
      { schema: objectIdSchema, config: write },
      async (request, reply) =>
        writeOnce(request, reply, async (tx) => {
          const { action_object_id: id } = request.body
          const patch = id === undefined ? {} : { action_object_id: id }
          const report = await changes.patch(tx, request.params.id, patch, request.principal.userId)
          return { status: 200, body: toWire(report, baseUrl()) }
        }),
    )
    app.patch(`${base}/:id/update_error_code`, { schema: errorCodeSchema, config: write }, async (request, reply) =>
      writeOnce(request, reply, async (tx) => {
        const { error_code: code } = request.body
        const patch = code === undefined ? {} : { error_code: code }
        const report = await changes.patch(tx, request.params.id, patch, request.principal.userId)
        return { status: 200, body: toWire(report, baseUrl()) }
      }),
    )
  }
