import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { orNotFound } from '#platform/errors.ts'
import { sendList } from '#platform/lists/send-list.ts'
import { timeFrom } from '#platform/time-text.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import type { makeActOnAll } from './act-on-all.ts'
import { changeGroup } from './change-group.ts'
import { toWire } from './group.ts'
import * as options from './schemas.ts'
import { findGroup, listGroups } from './store.ts'

const path = '/api/v1/error_report_groups'

/** Groups of reports with one cause. */
export const groupRoutes =
  (
    { db, clock, baseUrl, ...dependencies }: SliceDeps,
    actOnAll: ReturnType<typeof makeActOnAll>,
  ): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(path, options.listOptions, async (request, reply) => {
      const now = clock.now()
      return sendList(reply, baseUrl(), await listGroups(db, request.query, now), (group) => toWire(group, now))
    })

    app.get(`${path}/:id`, options.getOptions, async ({ params }) =>
      toWire(orNotFound(await findGroup(db, params.id)), clock.now()),
    )

    app.patch(`${path}/:id`, options.updateOptions, async (request, reply) => {
      const { state, ignored_until: until, assignee, note } = request.body
      const wanted = { state, ignoredUntil: until === null ? null : timeFrom('ignored_until', until), assignee, note }
      return dependencies.write(request, reply, async (tx) => {
        const now = clock.now()
        const group = await changeGroup(tx, request.params.id, wanted, { by: request.principal.userId, now })
        return { status: 200, body: toWire(group, now) }
      })
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
