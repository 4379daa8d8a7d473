import type { Subscriptions } from '#delivery/subscriptions.ts'
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
  subscriptions: Pick<Subscriptions, 'find'>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, HookOfEvent>> => {
  const records = new Map<number, HookOfEvent>()
  for (const hook of await findHooksWithRemoved(db, [...new Set(ids)])) {
    const settings = await subscriptions.find(db, hook.id)
    records.set(hook.id, settings === undefined ? removedRecord(hook) : toRecord({ ...hook, settings }))
  }
  return records
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
