import { expect, test } from 'vitest'
import type { Arrival, Outbox } from '#delivery/outbox/outbox.ts'
import type { Db } from '#platform/db/database.ts'
import { makeAcceptEvent } from './accept-events.ts'

test('events of different requests share a statement as far as their data have 4 MiB together', async () => {
  const shared: number[] = []
  const acceptAlone = (_: Db, arrivals: readonly Arrival[]) => {
    shared.push(arrivals.length)
    return Promise.resolve(arrivals.map(() => 'accepted' as const))
  }
  const accept = makeAcceptEvent({} as Db, { acceptAlone } as Partial<Outbox> as Outbox)
  const event = (id: number) =>
    ({ userId: 1, id: String(id), contentHash: 'x', characters: 1_000_000, event: { type: 'order.made' } }) as never
  await Promise.all(Array.from({ length: 10 }, (_, id) => accept(event(id))))
  expect(shared).toEqual([4, 4, 2])
})
