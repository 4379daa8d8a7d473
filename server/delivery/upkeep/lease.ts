import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'

/**
 * Leases of upkeep. Each job is a row of `upkeep`: when it is due, when it was last done, and how far it got. A step is one
 * transaction that holds the row, so of any number of processes one makes it. Times are the database's, which all share.
 */
type Job = 'events' | 'queue' | 'retention'

export interface Lease<Position> {
  readonly position: Position
  readonly now: Date
  /** When the job was last done, if ever. */
  readonly doneAt: Date | null
}

export interface Step<Position> {
  /** Where the next step goes on. */
  readonly position: Position
  /** Time until the job is due again; null when it is not done yet and the next step may follow at once. */
  readonly nextInMs: number | null
}

/**
 * Makes one step of a job if it is due and no other process is at it.
 * @param maxMs longest wait that the job's steps ask for. One that is due later than this was put off by a clock that jumped.
 * @returns what `work` returned; undefined when the job is not due, or another process has the lease.
 */
export const underLease = async <Position, S extends Step<Position>>(
  db: Db,
  { job, maxMs }: { readonly job: Job; readonly maxMs: number },
  work: (tx: Tx, lease: Lease<Position>) => Promise<S>,
): Promise<S | undefined> =>
  inTransaction(db, async (tx) => {
    const leases = await sql<Lease<Position>>`
      select position, done_at, clock_timestamp() as now from upkeep
      where job = ${job}
        and (due_at <= clock_timestamp() or due_at > clock_timestamp() + ${maxMs} * interval '1 ms')
      for update skip locked`.execute(tx)
    const [lease] = leases.rows
    if (lease === undefined) return undefined
    const step = await work(tx, lease)
    await sql`
      update upkeep
      set position = ${JSON.stringify(step.position)}::jsonb,
          due_at = clock_timestamp() + ${step.nextInMs ?? 0} * interval '1 ms',
          done_at = case when ${step.nextInMs !== null} then clock_timestamp() else done_at end
      where job = ${job}`.execute(tx)
    return step
  })

/** The last event that the job `events` has looked at. */
export const checkedUpTo = async (db: Db): Promise<number> =>
  (await sql<{ position: number | null }>`select position from upkeep where job = 'events'`.execute(db)).rows[0]
    ?.position ?? 0

/** When a job was last done; null before the first time. */
export const lastDone = async (db: Db, job: Job): Promise<Date | null> =>
  (await sql<{ doneAt: Date | null }>`select done_at from upkeep where job = ${job}`.execute(db)).rows[0]?.doneAt ??
  null
