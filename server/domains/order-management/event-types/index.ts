import type { Db, Tx } from '#platform/db/database.ts'
import { describeWebhooks } from '#events/openapi-webhooks.ts'
import { makeKnownTypes, type KnownTypes } from './known-types.ts'
import { eventTypeRoutes, type EventTypeRoutesDeps } from './routes.ts'
import { holdEventTypes } from './store.ts'

export { canonicalEventName, firstWord, type JsonObject } from './event-type.ts'
export type { KnownType, KnownTypes } from './known-types.ts'
export { maxCheckMs } from './own-schema.ts'

/** Types of events of one's own, for those who raise, subscribe to, list, try out and describe them. */
export interface EventTypes {
  /** As they are now. */
  readonly read: (db: Db | Tx) => Promise<KnownTypes>
  /** As they were half a second ago, or later: of this process's changes, all that are committed. */
  readonly recent: (db: Db) => Promise<KnownTypes>
  /** The names of all types. Of those given, nobody removes one until the transaction ends. */
  readonly hold: (tx: Tx, names: readonly string[]) => Promise<readonly string[]>
}

/** Events of one's own (contract, section 8). */
export const makeEventTypes = (deps: Omit<EventTypeRoutesDeps, 'onChange'>) => {
  const { read, recent, forget } = makeKnownTypes()
  const eventTypes: EventTypes = {
    read,
    recent,
    hold: async (tx, names) => {
      const types = await read(tx)
      const held = await holdEventTypes(
        tx,
        names.filter((name) => types.has(name)),
      )
      return [...types.keys()].filter((name) => !names.includes(name) || held.has(name))
    },
  }
  const routes = eventTypeRoutes({ ...deps, onChange: forget })
  let described: { readonly types: KnownTypes; readonly webhooks: Readonly<Record<string, object>> } | undefined
  /** The `webhooks` part of the API description of these types: the same object until one of them changes. */
  const describe = async () => {
    const types = await recent(deps.db)
    if (described?.types !== types) described = { types, webhooks: describeWebhooks(types) }
    return described.webhooks
  }
  return { eventTypes, routes, describe }
}
