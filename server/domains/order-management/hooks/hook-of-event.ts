import type { Subscriptions } from '#delivery/subscriptions/subscriptions.ts'
import type { Db } from '#platform/db/database.ts'
import { toRecord } from './hook-record.ts'
import type { HookOfEvent } from './hook-schemas.ts'
import { findHooksWithRemoved, type HistoricHook } from './hooks-store.ts'

/**
 * The hooks of a page of deliveries, by id: clients of the original expect the whole hook in each of its events.
 * Of a removed one only what the history needs is shown.
 */
export const hooksOfEvents = async (
  db: Db,
  subscriptions: Pick<Subscriptions, 'findAll'>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, HookOfEvent>> => {
  const hooks = await findHooksWithRemoved(db, [...new Set(ids)])
  const settingsOf = await subscriptions.findAll(
    db,
    hooks.map(({ id }) => id),
  )
  return new Map(
    hooks.map((hook) => {
      const settings = settingsOf.get(hook.id)
      return [hook.id, settings === undefined ? removedRecord(hook) : toRecord({ ...hook, settings })]
    }),
  )
}

const removedRecord = ({ id, eventType, createdAt, modifiedAt }: HistoricHook): HookOfEvent => ({
  id,
  event_type: eventType,
  target_url: null,
  is_active: false,
  retry_countdown_config: null,
  additional_headers: null,
  config: {},
  secret_key: null,
  created_date: createdAt.toISOString(),
  modified_date: modifiedAt.toISOString(),
})
