import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { backOfficeEventTypes } from '#events/catalogue.ts'
import type { Db } from '#platform/db/database.ts'
import type { Write } from '#platform/http/idempotency.ts'
import { sendArray } from '#platform/http/pagination.ts'
import { errorResponses, IdParams } from '#platform/http/schemas.ts'
import { canonicalEventName } from './event-name.ts'
import { readHookInput, type InputRules } from './hook-input.ts'
import { toRecord } from './hook-record.ts'
import { HookQuery, HookRecord, PartOfHook, truthOf, WholeHook } from './hook-schemas.ts'
import { visibleTo } from './hook-surface.ts'
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

const read = { access: { role: 'staff', scope: 'hooks:read' } } as const
const change = { access: { role: 'staff', scope: 'hooks:write' } } as const
const tags = ['Order-management hooks']

/** Subscriptions to order-management events (document 2; contract, section 4). */
export const hookRoutes =
  ({ db, write, baseUrl, hooks, path, rules }: HookRoutesDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(path, { schema: createSchema, config: change }, async (request, reply) => {
      const input = readHookInput(request.body, rules)
      return write(request, reply, async (tx) => {
        const hook = await hooks.create(tx, request.principal, input)
        return { status: 201, body: toRecord(hook), headers: { location: `${baseUrl()}${path}/${hook.id}/` } }
      })
    })

    app.get(path, { schema: listSchema, config: read }, async (request, reply) => {
      const { page, limit, ordering = 'id', event_type: name, target_url: targetUrl, is_active: active } = request.query
      const eventType = name === undefined ? undefined : canonicalEventName(name.toLowerCase())
      const filter = { owner: visibleTo(request.principal), eventType, targetUrl, isActive: truthOf(active) }
      const { rows, count } = await hooks.list(db, filter, ordering, { page, limit })
      return sendArray(reply, baseUrl(), { page, limit }, { rows: rows.map(toRecord), count })
    })

    app.get(`${path}/registry`, { schema: registrySchema, config: read }, async () => backOfficeEventTypes)

    app.get(`${path}/:id`, { schema: getSchema, config: read }, async (request) =>
      toRecord(await hooks.find(db, request.principal, request.params.id)),
    )

    app.put(`${path}/:id`, { schema: replaceSchema, config: change }, async (request, reply) => {
      const input = readHookInput(request.body, rules)
      return write(request, reply, async (tx) => {
        const hook = await hooks.replace(tx, request.principal, request.params.id, input)
        return { status: 200, body: toRecord(hook) }
      })
    })

    app.patch(`${path}/:id`, { schema: patchSchema, config: change }, async (request, reply) => {
      const input = readHookInput(request.body, rules)
      return write(request, reply, async (tx) => {
        const hook = await hooks.patch(tx, request.principal, request.params.id, input)
        return { status: 200, body: toRecord(hook) }
      })
    })

    app.delete(`${path}/:id`, { schema: removeSchema, config: change }, async (request, reply) =>
      write(request, reply, async (tx) => {
        await hooks.remove(tx, request.principal, request.params.id)
        return { status: 204 }
      }),
    )
  }

const answer = { ...errorResponses, 200: HookRecord }
const createSchema = {
  tags,
  summary: 'Subscribe to an event',
  operationId: 'createHook',
  body: WholeHook,
  response: { ...errorResponses, 201: HookRecord },
} as const
const listSchema = {
  tags,
  summary: 'List hooks',
  operationId: 'listHooks',
  querystring: HookQuery,
  response: { ...errorResponses, 200: Type.Array(HookRecord) },
} as const
const registrySchema = {
  tags,
  summary: 'List the names of all events',
  operationId: 'listHookEventNames',
  response: { ...errorResponses, 200: Type.Array(Type.String()) },
} as const
const getSchema = { tags, summary: 'Get a hook', operationId: 'getHook', params: IdParams, response: answer } as const
const replaceSchema = {
  tags,
  summary: 'Replace a hook',
  description:
    'What the body does not name goes back to its default; a masked secret is kept, unless it would go to another address.',
  operationId: 'replaceHook',
  params: IdParams,
  body: WholeHook,
  response: answer,
} as const
const patchSchema = {
  tags,
  summary: 'Change a hook',
  description:
    'When target_url changes to another scheme, host or port, credentials for the receiver have to be sent again.',
  operationId: 'changeHook',
  params: IdParams,
  body: PartOfHook,
  response: answer,
} as const
const removeSchema = {
  tags,
  summary: 'Unsubscribe',
  description: 'What was still due is cancelled; what was delivered can still be looked up.',
  operationId: 'removeHook',
  params: IdParams,
  response: { ...errorResponses, 204: Type.Null() },
} as const
