import type { LiveItems } from '#api/live.ts'
import type { Search } from '#ui/list/filters.ts'

type Item = LiveItems['delivery']

/**
 * Whether a delivery that was just made or has just ended is one of the list, as far as its message says: a filter that it
 * says nothing about counts as met.
 */
export const isOfList = (item: Item, search: Search): boolean => {
  if (item.receiver.kind !== 'hook') return false
  const { status } = search
  // Of those that stand in the list already, only their status changes.
  const isNew = typeof status === 'string' && status !== '' ? item.status === status : item.attempt === 0
  return isNew && tests.every(([name, valueOf]) => isMet(search[name], valueOf(item)))
}

const tests: readonly (readonly [string, (item: Item) => string | null])[] = [
  ['event_type', (item) => item.event_type],
  ['webhook', (item) => String(item.receiver.id)],
  ['object_type', (item) => item.object_type],
  ['object_id', (item) => (item.object_id === null ? null : String(item.object_id))],
  ['response_http_status', (item) => (item.http_status === null ? null : String(item.http_status))],
  ['reason', (item) => item.reason],
  ['delivered', (item) => String(item.status === 'delivered')],
]

/** The API takes names of events with hyphens too. */
const isMet = (wanted: Search[string], value: string | null): boolean =>
  typeof wanted !== 'string' || wanted === '' || wanted.replaceAll('-', '.') === value?.replaceAll('-', '.')
