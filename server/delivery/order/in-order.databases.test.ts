import { afterEach, expect, test } from 'vitest'
import { inTransaction } from '#platform/db/transaction.ts'
import { eventually } from '#testing/eventually.ts'
import { packageCreated, settings } from '#testing/make-deliveries.ts'
import { makeTestEngine, type TestEngine } from '#testing/make-test-engine.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { makeReceiver } from '#testing/receiver.ts'

const database = await openTestDatabase()
const { db } = database
const receiver = await makeReceiver()
const engines: TestEngine[] = []
const start = async (): Promise<TestEngine> => {
  const engine = await makeTestEngine(database)
  engines.push(engine)
  await engine.start()
  return engine
}
afterEach(() => Promise.all(engines.map((engine) => engine.stop())))

test('a receiver that fails now and then gets what is about one object in order, while others go on and processes come and go', async () => {
  const first = await start()
  await start()
  await inTransaction(db, (tx) =>
    first.subscriptions.create(tx, {
      ...settings,
      url: receiver.url,
      order: 'object',
      retry: { choice: 'fixed', kwargs: { seconds: 0 } },
    }),
  )
  let requests = 0
  receiver.answer(() => ({ status: ++requests % 5 === 0 ? 500 : 200, delayMs: requests % 3 }))
  const objects = 6
  const events = 8
  for (let event = 0; event < events; event++) {
    if (event === 4) {
      await first.stop()
      await start()
    }
    for (let id = 1; id <= objects; id++)
      await inTransaction(db, (tx) =>
        (event < 4 ? first : (engines[1] ?? first)).outbox.append(tx, [packageCreated(id)]),
      )
  }
  await eventually(async () => {
    const open = await db.selectFrom('deliveries').select('id').where('status', '<>', 'delivered').execute()
    expect(open).toEqual([])
  })
  const byObject = Map.groupBy(
    receiver.received,
    ({ body }) => (JSON.parse(body.toString()) as { data: { id: number } }).data.id,
  )
  expect(byObject.size).toBe(objects)
  for (const requestsOfOne of byObject.values()) {
    const sequences = requestsOfOne.map(({ headers }) => Number(headers['x-waybill-sequence']))
    expect(sequences).toEqual(sequences.toSorted((one, other) => one - other))
    expect(new Set(sequences).size).toBe(events)
  }
})
