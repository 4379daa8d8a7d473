import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { makeLoop } from '../loop.ts'
import type { Database } from './database.ts'
import { inTime, pingTimeoutMs } from './pool-database.ts'

interface Signs {
  /** Whether a process that works has left a sign lately. */
  readonly hasWorker: boolean
  /** Number of the last migration. */
  readonly version: number
}

/** A process that has left a sign lately. */
export interface SeenProcess {
  readonly id: string
  readonly works: boolean
  readonly seenAt: Date
}

const leaveEveryMs = 5_000
/** Several signs may be missed before a process counts as gone. */
const aliveSeconds = 20
/** Less than the time between two signs, so that each is a new one. */
const rememberedMs = 4_000
/** 125 pages. Then the table is emptied, so it costs no space either. */
const maxProbeBytes = 1_000_000

/**
 * What one process can see of the others, and of the database that they share. All of it is a few seconds old at most.
 * @param works whether this process delivers, and got through to the database lately.
 */
export const makeProcessSigns = ({ db }: Pick<Database, 'db'>, log: Logger, works: () => boolean) => {
  const id = randomUUID()
  const write = async (): Promise<void> => {
    const { rows } = await sql<{ isLarge: boolean }>`
      with page as (insert into write_probes values (repeat('-', 8000)))
      insert into process_signs values (${id}, ${works()}, now())
      on conflict (id) do update set works = excluded.works, seen_at = excluded.seen_at
      returning pg_relation_size('write_probes') > ${maxProbeBytes} as "isLarge"`.execute(db)
    if (rows[0]?.isLarge !== true) return
    await sql`truncate write_probes`.execute(db)
    await sql`delete from process_signs where seen_at < now() - interval '1 hour'`.execute(db)
  }
  const read = async (): Promise<Signs> => {
    const { rows } = await sql<Signs>`
      select exists (select from process_signs where works and seen_at > now() - make_interval(secs => ${aliveSeconds})) as "hasWorker",
        (select max(version) from schema_migrations) as version`.execute(db)
    return rows[0] ?? { hasWorker: false, version: 0 }
  }
  const see = async (): Promise<readonly SeenProcess[]> => {
    const { rows } = await sql<SeenProcess>`
      select id::text, works, seen_at from process_signs
      where seen_at > now() - make_interval(secs => ${aliveSeconds}) order by seen_at desc limit 1000`.execute(db)
    return rows
  }
  const leave = remembered(write)
  return {
    /** Leaves a sign of life, which needs room on the disk. @throws DatabaseUnavailable when the database takes no writes. */
    leave,
    /** Reads what others left. @throws DatabaseUnavailable */
    look: remembered(read),
    /** The processes that have left signs lately. */
    see,
    /** Leaves signs by itself, for processes that work beside others. */
    service: makeLoop({ name: 'process signs', everyMs: leaveEveryMs, log, run: leave }),
  }
}

export type ProcessSigns = ReturnType<typeof makeProcessSigns>

/** Work that is done at most every few seconds, by whoever asks then; others get the same answer. It has two seconds. */
const remembered = <T>(work: () => Promise<T>): (() => Promise<T>) => {
  let last: Promise<T> | undefined
  let until = 0
  return () => {
    if (last === undefined || performance.now() >= until) {
      until = performance.now() + rememberedMs
      last = inTime(work(), pingTimeoutMs)
    }
    return last
  }
}
