import { CompiledQuery } from 'kysely'
import type { Clock } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'

export interface ProbeDeps {
  readonly db: Db
  readonly clock: Clock
  readonly probeEveryMs: number
  readonly attemptNow: (deliveryId: number) => Promise<unknown>
}

/** How many endpoints one look tries: each may take a whole exchange. */
const maxAtOnce = 50

/** One process gets each. The next time is written before the probe, so that one whose process dies is tried again then. */
const claimStatement = `
  update subscriptions set health = 'probing', probe_at = $2
  where id in (
    select id from subscriptions
    where probe_at <= $1 and not is_active and disabled_reason = 'failing' and deleted_at is null
    order by probe_at limit ${maxAtOnce} for update skip locked
  )
  returning id as "subscriptionId"`

/** The oldest that waits. Each half has an index of its own. */
const oldestStatement = `
  select min(id) as id from (
    (select id from deliveries where subscription_id = $1 and status = 'held' and is_head is not false order by id limit 1)
    union all
    (select id from deliveries where subscription_id = $1 and status = 'pending' order by lane, next_attempt_at limit 1)
  ) waiting`

/**
 * Tries every disabled endpoint whose time has come with one delivery that waits for it, if there is any: a success brings
 * it back (see health.ts). @returns how many were tried.
 */
export const probe = async ({ db, clock, probeEveryMs, attemptNow }: ProbeDeps): Promise<number> => {
  const now = clock.now()
  const next = new Date(now.getTime() + probeEveryMs)
  const claimed = await db.executeQuery<{ subscriptionId: number }>(CompiledQuery.raw(claimStatement, [now, next]))
  const tries = claimed.rows.map(async ({ subscriptionId }) => {
    const { rows } = await db.executeQuery<{ id: number | null }>(CompiledQuery.raw(oldestStatement, [subscriptionId]))
    const id = rows[0]?.id ?? null
    if (id === null) return false
    await attemptNow(id)
    return true
  })
  return (await Promise.all(tries)).filter(Boolean).length
}
