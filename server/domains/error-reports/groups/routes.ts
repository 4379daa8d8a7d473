import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { recordRoutes } from '#platform/http/record-routes.ts'
import { timeFrom } from '#platform/time-text.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import type { makeActOnAll } from './act-on-all.ts'
import { changeGroup } from './change-group.ts'
import { read } from '../dependencies.ts'
import type { Group } from './group.ts'
import * as options from './schemas.ts'
import { findGroup, groupList, listGroups } from './store.ts'

const path = '/api/v1/error_report_groups'

/** Groups of reports with one cause. */
export const groupRoutes =
  (dependencies: SliceDeps, actOnAll: ReturnType<typeof makeActOnAll>): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { clock } = dependencies
    const kind = {
      path,
      route: options.route,
      record: options.GroupRecord,
      toWire: (group: Group) => options.toWire(group, clock.now()),
    }
    const groups = recordRoutes(app, dependencies, kind)
    groups.list(read('listErrorReportGroups', 'List groups of error reports'), groupList, (db, query) =>
      listGroups(db, query, clock.now()),
    )
    groups.get(read('getErrorReportGroup', 'Read a group of error reports'), findGroup)
    groups.update(options.update, options.GroupPatch, (tx, id, body, { principal: { userId: by } }) => {
      const { state, ignored_until: until, assignee, note } = body
      const ignoredUntil = until === null ? null : timeFrom('ignored_until', until)
      return changeGroup(tx, id, { state, ignoredUntil, assignee, note }, { by, now: clock.now() })
    })

    app.get(`${path}/:id/count`, options.countOptions, async (request) => ({
      count: await actOnAll.count(request.params.id),
    }))

    app.post(`${path}/:id/resolve_all`, options.resolveAllOptions, async (request, reply) => {
      const { id } = request.params
      if (request.query.dry_run === true)
        return { status: 'dry_run' as const, total: await actOnAll.count(id), resolved: 0 }
      return dependencies.write(request, reply, async (tx) => ({
        status: 200,
        body: await actOnAll.resolve(tx, id, request.principal.userId),
      }))
    })

    app.post(`${path}/:id/retry_all`, options.retryAllOptions, async (request, reply) => {
      const { id } = request.params
      if (request.query.dry_run === true)
        return { status: 'dry_run' as const, ...(await actOnAll.outlook(id, request.principal)) }
      return dependencies.write(request, reply, async (tx) => ({
        status: 200,
        body: await actOnAll.retry(tx, id, { principal: request.principal, requestId: request.id }),
      }))
    })
  }
