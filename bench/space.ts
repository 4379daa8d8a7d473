import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { openDatabase } from '#platform/db/open.ts'
import type { Db } from '#platform/db/database.ts'
import type { Figure } from './figure.ts'
import { eventOf } from './open-engine.ts'
import { openServer, type BenchServer } from './open-server.ts'
import { meterProcessorTime, processorSecondsOf } from './processor-time.ts'
import { scaled } from './scale.ts'
import { startReceiver } from './start-receiver.ts'

const events = (): number => scaled(20_000, 500)
const clients = 32

interface Written {
  readonly wal: number
  readonly disk: number
}
interface Taken extends Written {
  /** Seconds of processor time, of the server and of its database. */
  readonly server: number
  readonly database: number
}

/** What an event with one delivery and one attempt, raised in a request of its own, takes of processors and PostgreSQL's disk until its end is stored. */
export const space = async (): Promise<Figure[]> => {
  const receiver = await startReceiver()
  const server = await openServer('postgres')
  const database = await openDatabase({ ...server.location, poolSize: 1 })
  await server.call('POST', '/whisperer/hooks/', {
    event_type: 'package.created',
    target_url: receiver.url('hook'),
    config: { format: 'standard' },
    secret_key: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  })
  // What a table has at least, and pages written whole for the first time, are those of all events.
  await raise(server, 0, scaled(500, 50))
  await allEnded(database.db)
  const meter = await meterProcessorTime(server)
  const take = async (): Promise<Taken> => {
    const own = processorSecondsOf(server.pid)
    return { ...(await written(database.db)), server: own, database: meter() - own }
  }
  const before = await take()
  await raise(server, scaled(500, 50), events())
  await allEnded(database.db)
  const after = await take()
  await database.close()
  await server.close()
  receiver.stop()
  const body = JSON.stringify(eventOf(1).data).length
  const figure = (name: string, unit: string, of: keyof Taken, times = 1): Figure => ({
    name,
    unit,
    value: ((after[of] - before[of]) * times) / events(),
    reach: '',
  })
  return [
    figure('an event a request, one delivery: processor time of the server', 'ms', 'server', 1_000),
    figure('… of the database', 'ms', 'database', 1_000),
    figure(`… WAL, with ${body} bytes of data`, 'bytes', 'wal'),
    figure('… disk: event, delivery, attempt, indexes', 'bytes', 'disk'),
  ]
}

const raise = async ({ call }: BenchServer, from: number, count: number): Promise<void> => {
  let next = from
  const client = async (): Promise<void> => {
    while (next < from + count) {
      next += 1
      const { type, data } = eventOf(next)
      await call('POST', '/api/v1/events/', { id: `event-${next}`, type, data })
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
}

const allEnded = async (db: Db): Promise<void> => {
  const left = () =>
    db.selectFrom('deliveries').select('id').where('status', '=', 'pending').limit(1).executeTakeFirst()
  while ((await left()) !== undefined) await sleep(50)
}

const written = async (db: Db): Promise<Written> => {
  const { rows } = await sql<Written>`
    select (pg_current_wal_insert_lsn() - '0/0')::float8 as wal, (
      select sum(pg_total_relation_size(relid))::float8
      from unnest(array['events', 'deliveries', 'attempts']) as name cross join pg_partition_tree(name::regclass) where isleaf
    ) as disk`.execute(db)
  return rows[0] ?? { wal: 0, disk: 0 }
}
