import type { RunScript } from '#platform/db/database.ts'
import type { HookState } from '../company/hooks.ts'

/** Lets every subscription, and who keeps a record of it, be as old as the history. */
export const writeSince = async (run: RunScript, since: Date): Promise<void> => {
  await run('update subscriptions set created_at = $1, modified_at = $1, listening_since = $1', [since])
  for (const table of ['hooks', 'flows']) await run(`update ${table} set created_at = $1, modified_at = $1`, [since])
  await run('update project_webhooks set created_at = $1, updated_at = $1', [since])
}

/** Writes how a subscription is that is not well: its failures are those of its attempts, so that the two say the same. */
export const writeState = async (run: RunScript, subscriptionId: number, state: HookState): Promise<void> => {
  const { health, failingSince, disabledAt, disabledReason, probeAt } = state
  await run(
    `with tried as (
       select started_at + duration_ms * interval '1 millisecond' as at, outcome = 'delivered' as is_delivered
       from attempts join deliveries on deliveries.id = delivery_id where subscription_id = $1
     ), success as (
       select max(at) as at from tried where is_delivered
     ), failure as (
       select count(*)::integer as count, min(tried.at) as first, max(tried.at) as last
       from tried cross join success
       where not is_delivered and (success.at is null or tried.at > success.at)
     )
     update subscriptions
     set health = $2, failures = failure.count, failing_since = coalesce(failure.first, $3::timestamptz),
       last_failure_at = failure.last, last_success_at = success.at,
       is_active = $4::timestamptz is null, disabled_at = $4, disabled_reason = $5, probe_at = $6
     from failure cross join success
     where id = $1`,
    [subscriptionId, health, failingSince, disabledAt ?? null, disabledReason ?? null, probeAt ?? null],
  )
}
