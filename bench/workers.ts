import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '#platform/db/database.ts'
import { openDatabase } from '#platform/db/open.ts'
import { startServer, type ServerProcess } from '#testing/processes/server-process.ts'
import { median, type Figure } from './figure.ts'
import { newDirectory } from './open-engine.ts'
import { benchSecretKey, openServer, startFlags, type BenchServer } from './open-server.ts'
import { meterProcessorTime } from './processor-time.ts'
import { makeProcessorSlice, type ProcessorSlice } from './processor-slice.ts'
import { scaled } from './scale.ts'
import { seedDue } from './seed.ts'
import { startReceiver, type BenchReceiver } from './start-receiver.ts'

const counts = [1, 2, 4] as const
const runs = 3
const hooks = 100
/** Of a core, for each worker. Four of them leave the database and the receiver what they need of two cores. */
const coresOfWorker = 0.2
/** To all hooks, for each worker. */
const warmUpEvents = (): number => scaled(200, 20)
/** More than four workers deliver of 100 hooks each until the end of the measurement. */
const backlogEvents = (): number => scaled(3_000, 200)
const settleMs = 3_000
const measuredMs = (): number => scaled(12_000, 2_000)

interface Run {
  readonly perSecond: number
  readonly workerMs: number
  readonly databaseMs: number
  readonly walBytes: number
}

/**
 * Deliveries a second of one backlog by 1, 2 and 4 processes of `--role worker`, each held to the same slice of a core by a
 * control group, so that each has as much as if it were a machine of its own; the database and the receiver are not held.
 */
export const workers = async (): Promise<Figure[]> => {
  const measured = new Map<number, Run[]>(counts.map((count) => [count, []]))
  for (let run = 0; run < runs; run++)
    for (const count of counts) {
      const one = await drainWith(count)
      measured.get(count)?.push(one)
      console.log(
        `  ${count} workers: ${Math.round(one.perSecond)}/s; a delivery: ${one.workerMs.toFixed(3)} ms of a worker, ${one.databaseMs.toFixed(3)} ms of the database, ${Math.round(one.walBytes)} bytes of WAL`,
      )
    }
  const middle = (count: number, of: (run: Run) => number): number => median((measured.get(count) ?? []).map(of))
  const perSecond = (count: number): number => middle(count, (run) => run.perSecond)
  const reach = { 1: '', 2: '≥ 1.7', 4: '' }
  return [
    ...counts.map((count) => ({
      name: `deliveries of ${count} workers with ${coresOfWorker} cores each`,
      unit: '/s',
      value: perSecond(count),
      limit: perSecond(1),
      reach: reach[count],
    })),
    {
      name: 'processor time of a worker for a delivery',
      unit: 'ms',
      value: middle(1, (run) => run.workerMs),
      reach: '',
    },
    { name: '… of the database', unit: 'ms', value: middle(1, (run) => run.databaseMs), reach: '' },
    {
      name: 'WAL of a delivery: claim, attempt, end',
      unit: 'bytes',
      value: middle(2, (run) => run.walBytes),
      reach: '',
    },
  ]
}

const drainWith = async (count: number): Promise<Run> => {
  const receiver = await startReceiver()
  const directory = await newDirectory()
  const server = await openServer('postgres')
  const database = await openDatabase({ ...server.location, poolSize: 2 })
  const slices: ProcessorSlice[] = []
  const processes: ServerProcess[] = []
  try {
    await subscribe(server, receiver)
    // It has made the hooks, and takes no part in what follows.
    process.kill(server.pid, 'SIGSTOP')
    for (let worker = 0; worker < count; worker++)
      processes.push(await startWorker(server, directory.location.directory))
    await warmUp(database, count)
    for (const { pid } of processes) {
      process.kill(pid, 'SIGSTOP')
      const slice = makeProcessorSlice(`waybill-bench-${randomBytes(4).toString('hex')}`, coresOfWorker)
      slice.add(pid)
      slices.push(slice)
    }
    await seedBacklog(database, backlogEvents())
    for (const { pid } of processes) process.kill(pid, 'SIGCONT')
    return await measure({ receiver, database, slices, server })
  } finally {
    for (const worker of processes) await worker.kill()
    for (const slice of slices) slice.remove()
    await database.close()
    process.kill(server.pid, 'SIGCONT')
    await server.close()
    await directory.remove()
    receiver.stop()
  }
}

const subscribe = async ({ call }: BenchServer, receiver: BenchReceiver): Promise<void> => {
  for (let hook = 0; hook < hooks; hook++)
    await call('POST', '/whisperer/hooks/', {
      event_type: 'package.created',
      target_url: receiver.url('hook', hook),
      config: { format: 'standard' },
      secret_key: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    })
}

const startWorker = ({ location }: BenchServer, directory: string): Promise<ServerProcess> => {
  const environment = {
    DATABASE_URL: location.url ?? '',
    DATA_DIR: directory,
    LOG_LEVEL: 'error',
    SECRET_KEY: benchSecretKey,
    ALLOWED_NETWORKS: '127.0.0.0/8',
  }
  return startServer(environment, directory, { flags: startFlags, args: ['--role', 'worker'] })
}

const seedBacklog = async (database: Database, events: number): Promise<void> => {
  const rows = await database.db.selectFrom('subscriptions').select('id').execute()
  const subscriptionIds = rows.map(({ id }) => id)
  const scope = `bench-${randomBytes(4).toString('hex')}`
  await seedDue(database, { scope, subscriptionIds, ofEach: events, weeks: 2 })
}

/** Some deliveries at full speed, so that what is measured is compiled. */
const warmUp = async (database: Database, count: number): Promise<void> => {
  await seedBacklog(database, count * warmUpEvents())
  const left = () =>
    database.db.selectFrom('deliveries').select('id').where('status', '=', 'pending').limit(1).executeTakeFirst()
  while ((await left()) !== undefined) await sleep(100)
}

interface Scene {
  readonly receiver: BenchReceiver
  readonly database: Database
  readonly slices: readonly ProcessorSlice[]
  readonly server: BenchServer
}

const measure = async ({ receiver, database, slices, server }: Scene): Promise<Run> => {
  const databaseSeconds = await meterProcessorTime(server)
  const look = async () => ({
    at: performance.now(),
    count: (await receiver.look()).count,
    workers: slices.reduce((sum, slice) => sum + slice.used(), 0),
    database: databaseSeconds(),
    wal: await walBytes(database),
  })
  await sleep(settleMs)
  const before = await look()
  await sleep(measuredMs())
  const after = await look()
  const left = await database.db
    .selectFrom('deliveries')
    .select('id')
    .where('status', '=', 'pending')
    .limit(1)
    .execute()
  if (left.length === 0) throw new Error('The backlog was drained before the end: make it larger.')
  const delivered = after.count - before.count
  return {
    perSecond: delivered / ((after.at - before.at) / 1_000),
    workerMs: ((after.workers - before.workers) * 1_000) / delivered,
    databaseMs: ((after.database - before.database) * 1_000) / delivered,
    walBytes: (after.wal - before.wal) / delivered,
  }
}

const walBytes = async ({ db }: Database): Promise<number> => {
  const { rows } = await sql<{ bytes: number }>`
    select (pg_current_wal_insert_lsn() - '0/0')::float8 as bytes`.execute(db)
  return rows[0]?.bytes ?? 0
}
