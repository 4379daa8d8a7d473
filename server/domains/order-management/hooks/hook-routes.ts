import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { backOfficeEventTypes } from '#events/catalogue.ts'
import type { Db } from '#platform/db/database.ts'
import type { Write } from '#platform/http/idempotency.ts'
import { sendList } from '#platform/lists/send-list.ts'
import { IdParams } from '#platform/http/schemas.ts'
import { readHookInput, type InputRules } from './settings/hook-input.ts'
import { toRecord } from './hook-record.ts'
import { HookRecord, PartOfHook, WholeHook } from './hook-schemas.ts'
import { changing, reading, route } from './hook-surface.ts'
import { hookList } from './hooks-store.ts'
import type { ManageHooks } from './manage-hooks.ts'

export interface HookRoutesDeps {
  readonly db: Db
  readonly write: Write
  readonly baseUrl: () => string
  readonly hooks: ManageHooks
  /** `/whisperer/hooks` unless configured otherwise. */
  readonly path: string
  readonly rules: InputRules
}

/** Subscriptions to order-management events (document 2; contract, section 4). */
export const hookRoutes =
  ({ db, write, baseUrl, hooks, path, rules }: HookRoutesDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(path, create, async (request, reply) => {
      const input = readHookInput(request.body, rules)
      return write(request, reply, async (tx) => {
        const hook = await hooks.create(tx, request.principal, input)
        return { status: 201, body: toRecord(hook), headers: { location: `${baseUrl()}${path}/${hook.id}/` } }
      })
    })

    app.get(path, list, async (request, reply) => {
      const found = await hooks.list(db, request.principal, request.query)
      return sendList(reply, baseUrl(), found, toRecord)
    })

    app.get(`${path}/registry`, registry, async () => backOfficeEventTypes)

    app.get(`${path}/:id`, get, async (request) => toRecord(await hooks.find(db, request.principal, request.params.id)))

    app.put(`${path}/:id`, replace, async (request, reply) => {
      const input = readHookInput(request.body, rules)
      return write(request, reply, async (tx) => {
        const hook = await hooks.replace(tx, request.principal, request.params.id, input)
        return { status: 200, body: toRecord(hook) }
      })
    })

    app.patch(`${path}/:id`, patch, async (request, reply) => {
      const input = readHookInput(request.body, rules)
      return write(request, reply, async (tx) => {
        const hook = await hooks.patch(tx, request.principal, request.params.id, input)
        return { status: 200, body: toRecord(hook) }
      })
    })

    app.delete(`${path}/:id`, remove, async (request, reply) =>
      write(request, reply, async (tx) => {
        await hooks.remove(tx, request.principal, request.params.id)
        return { status: 204 }
      }),
    )
  }

const answer = { params: IdParams, response: { 200: HookRecord } }
const create = route(changing('createHook', 'Subscribe to an event'), {
  body: WholeHook,
  response: { 201: HookRecord },
})
const list = route(reading('listHooks', 'List hooks'), {
  querystring: hookList.querystring,
  response: { 200: Type.Array(HookRecord) },
})
const registry = route(reading('listHookEventNames', 'List the names of all events'), {
  response: { 200: Type.Array(Type.String()) },
})
const get = route(reading('getHook', 'Get a hook'), answer)
const replace = route(
  changing(
    'replaceHook',
    'Replace a hook',
    'What the body does not name goes back to its default; a masked secret is kept, unless it would go to another address.',
  ),
  { ...answer, body: WholeHook },
)
const patch = route(
  changing(
    'changeHook',
    'Change a hook',
    'When target_url changes to another scheme, host or port, credentials for the receiver have to be sent again.',
  ),
  { ...answer, body: PartOfHook },
)
const remove = route(
  changing('removeHook', 'Unsubscribe', 'What was still due is cancelled; what was delivered can still be looked up.'),
  { params: IdParams, response: { 204: Type.Null() } },
)
