// A program whose disk is recorded (`record-disk.ts`): makes a database, and has several clients raise events, read them and
// deliver them at once. Whatever it was answered it writes down as soon as it knows.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { openDatabase } from '#platform/db/open.ts'
import { migrate, readMigrations } from '#platform/db/migrate.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { packageCreated, settings } from '../make-deliveries.ts'
import { makeTestEngine } from '../make-test-engine.ts'

const { recordAnswer } = globalThis as unknown as { recordAnswer: (name: string, value: number) => void }
const [directory = '', url = ''] = process.argv.slice(2)
const clients = 8
const eventsOfClient = 25

for (const life of [0, 1]) {
  const database = await openDatabase({ directory, poolSize: 1 })
  await migrate(database, await readMigrations())
  recordAnswer('migrated', life)
  const { db } = database
  const engine = await makeTestEngine(database)
  const subscription = { ...settings, url }
  await inTransaction(db, (tx) => engine.subscriptions.create(tx, subscription))
  recordAnswer('subscriptions', life + 1)
  await engine.start()

  const client = async (number: number): Promise<void> => {
    for (let index = 0; index < eventsOfClient; index++) {
      const id = (life * clients + number) * eventsOfClient + index + 1
      await inTransaction(db, (tx) => engine.outbox.append(tx, [packageCreated(id)]))
      recordAnswer('event', id)
    }
  }
  const reader = async (): Promise<void> => {
    for (let index = 0; index < 2 * eventsOfClient; index++) {
      const { rows } = await sql<{ count: number }>`select count(*) as count from events`.execute(db)
      recordAnswer('events seen', rows[0]?.count ?? 0)
      if (index === eventsOfClient) await sql`checkpoint`.execute(db)
      await sleep(5)
    }
  }
  await Promise.all([...Array.from({ length: clients }, (_, number) => client(number)), reader()])
  await engine.stop()
  await database.close()
}
process.exit(0)
