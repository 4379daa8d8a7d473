import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { recordRoutes } from '#platform/http/record-routes.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import type { makeActOnAll } from './act-on-all.ts'
import { changeGroup } from './change-group.ts'
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
    const groups = recordRoutes(app, dependencies, kind)
    groups.list(
      read(
        'listErrorReportGroups',
        'List groups of error reports',
        'What failed most often or last, instead of each failure.',
      ),
      groupList,
      listGroups,
    )
    groups.get(
      read('getErrorReportGroup', 'Read a group of error reports', 'Its reports are those of the list with `group`.'),
      findGroup,
    )
    groups.update(options.update, options.GroupPatch, (tx, id, wanted, { principal: { userId: by } }) =>
      changeGroup(tx, id, wanted, { by, now: clock.now() }),
    )

    app.post(`${path}/:id/resolve_all`, options.resolveAllOptions, async (request, reply) =>
      dependencies.write(request, reply, async (tx) => ({
        status: 200,
        body: await actOnAll.resolve(tx, request.params.id, request.principal.userId),
      })),
    )

    app.post(`${path}/:id/retry_all`, options.retryAllOptions, async (request, reply) =>
      dependencies.write(request, reply, async (tx) => ({
        status: 200,
        body: await actOnAll.retry(tx, request.params.id, { principal: request.principal, requestId: request.id }),
      })),
    )
  }
