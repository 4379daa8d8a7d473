import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Db, Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { orNotFound } from '#platform/errors.ts'
import { recordRoutes } from '#platform/http/record-routes.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import type { makeActOnAll } from './act-on-all.ts'
import { occurrencesOf, withActivity } from './activity-store.ts'
import { changeGroup } from './change-group.ts'
import type { Group } from './group.ts'
import { read } from '../dependencies.ts'
import * as options from './schemas.ts'
import { findGroup, groupList, listGroups } from './store.ts'

const path = '/api/v1/error_report_groups'

/** Groups of reports with one cause. */
export const groupRoutes =
  (dependencies: SliceDeps, actOnAll: ReturnType<typeof makeActOnAll>): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { clock } = dependencies
    const kind = { path, route: options.route, record: options.GroupRecord, toWire: options.toWire }
    const shown = async (db: Db | Tx, group: Group | undefined) =>
      group && (await withActivity(db, [group], clock.now()))[0]
    const groups = recordRoutes(app, dependencies, kind)
    groups.list(
      read(
        'listErrorReportGroups',
        'List groups of error reports',
        'What failed most often or last, instead of each failure.',
      ),
      groupList,
      async (db, query) => {
        const { rows, ...found } = await listGroups(db, query)
        return { rows: await withActivity(db, rows, clock.now()), ...found }
      },
    )
    groups.get(
      read('getErrorReportGroup', 'Read a group of error reports', 'Its reports are those of the list with `group`.'),
      async (db, id) => shown(db, await findGroup(db, id)),
    )
    groups.update(options.update, options.GroupPatch, async (tx, id, wanted, request) => {
      const { state, assignee, note } = orNotFound(await findGroup(tx, id))
      request.auditedBefore = { state, assignee, note }
      return shown(tx, await changeGroup(tx, id, wanted, { by: request.principal.userId, now: clock.now() }))
    })

    app.get(`${path}/:id/occurrences`, options.occurrencesOptions, async ({ params: { id }, query: { days } }) => {
      orNotFound(await findGroup(dependencies.db, id))
      return { days: await occurrencesOf(dependencies.db, id, days, clock.now()) }
    })

    app.post(`${path}/:id/resolve_all`, options.resolveAllOptions, async (request, reply) => {
      // What changes nothing leaves an Idempotency-Key unused for what does.
      if (request.query.dry_run)
        return inTransaction(dependencies.db, (tx) => actOnAll.previewResolve(tx, request.params.id))
      return dependencies.write(request, reply, async (tx) => ({
        status: 200,
        body: await actOnAll.resolve(tx, request.params.id, request.principal.userId),
      }))
    })

    app.post(`${path}/:id/retry_all`, options.retryAllOptions, async (request, reply) => {
      const context = { principal: request.principal, requestId: request.id }
      if (request.query.dry_run)
        return inTransaction(dependencies.db, (tx) => actOnAll.previewRetry(tx, request.params.id, context))
      return dependencies.write(request, reply, async (tx) => ({
        status: 200,
        body: await actOnAll.retry(tx, request.params.id, context),
      }))
    })
  }
