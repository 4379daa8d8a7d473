import { firstIdOf } from '#delivery/tables/time-id.ts'
import { weeklyTables } from '#delivery/upkeep/partitions.ts'
import type { RunScript } from '#platform/db/database.ts'
import { dayMs } from '#platform/clock.ts'
import { insertRows } from '../rows.ts'
import { historyDays } from '../time.ts'
import type { HistoryEvent } from './event.ts'

/** An event with its id and its number among those of its object. */
export interface StoredEvent extends HistoryEvent {
  readonly id: number
  readonly sequence: number | null
}

/** Makes ids that go up and carry their time. */
export const makeTimeIds = () => {
  let last = 0
  return (at: Date): number => {
    last = Math.max(firstIdOf(at), last + 1)
    return last
  }
}

/** Makes the partitions of the weeks that the history is in. */
export const makeWeeks = async (run: RunScript, now: Date): Promise<void> => {
  for (let days = historyDays + 14; days >= 0; days -= 7)
    for (const table of weeklyTables)
      await run(`call create_week('${table}', '${new Date(now.getTime() - days * dayMs).toISOString()}')`)
}

/** Takes the events that the API has raised while the demo was made: they are kept again at the times when they happened. */
const takeRaised = async (run: RunScript): Promise<HistoryEvent[]> => {
  const rows = (await run(`
    select scope, type, occurred_at as at, object_type as "objectType", object_id as "objectId", body,
      content_type as "contentType", addressee
    from events order by id`)) as unknown as HistoryEvent[]
  for (const table of ['deliveries', 'object_queues', 'events', 'object_sequences']) await run(`delete from ${table}`)
  return rows
}

/** Writes events, and those that were raised, in the order in which they happened. */
export const writeEvents = async (run: RunScript, events: readonly HistoryEvent[]): Promise<readonly StoredEvent[]> => {
  const all = [...(await takeRaised(run)), ...events]
  const inOrder = all.toSorted((one, other) => one.at.getTime() - other.at.getTime())
  const nextId = makeTimeIds()
  const sequences = new Map<string, { object_type: string; object_id: string; last: number }>()
  const stored = inOrder.map((event) => ({ ...event, id: nextId(event.at), sequence: numbered(sequences, event) }))
  await insertRows(run, 'events', stored.map(toRow))
  await insertRows(run, 'object_sequences', [...sequences.values()])
  return stored
}

const numbered = (
  sequences: Map<string, { object_type: string; object_id: string; last: number }>,
  { objectType, objectId }: HistoryEvent,
): number | null => {
  if (objectType === null || objectId === null) return null
  const key = `${objectType} ${objectId}`
  const last = (sequences.get(key)?.last ?? 0) + 1
  sequences.set(key, { object_type: objectType, object_id: objectId, last })
  return last
}

const toRow = (event: StoredEvent) => ({
  id: event.id,
  scope: event.scope,
  type: event.type,
  occurred_at: event.at,
  object_type: event.objectType,
  object_id: event.objectId,
  sequence: event.sequence,
  body: event.body,
  content_type: event.contentType ?? null,
  addressee: event.addressee ?? null,
  is_test: false,
})
