import type { RunScript } from '#platform/db/database.ts'
import type { HookState } from '../company/hooks.ts'

/** Lets every subscription, and who keeps a record of it, be as old as the history. */
export const writeSince = async (run: RunScript, since: Date): Promise<void> => {
  await run('update subscriptions set created_at = $1, modified_at = $1, listening_since = $1', [since])
  for (const table of ['hooks', 'flows']) await run(`update ${table} set created_at = $1, modified_at = $1`, [since])
  await run('update project_webhooks set created_at = $1, updated_at = $1', [since])
}

/** Writes how a subscription is that is not well. */
export const writeState = async (run: RunScript, subscriptionId: number, state: HookState): Promise<void> => {
  const { health, failures, failingSince, lastFailureAt, lastSuccessAt, disabledAt, disabledReason, probeAt } = state
  await run(
    `update subscriptions
     set health = $2, failures = $3, failing_since = $4, last_failure_at = $5, last_success_at = $6,
       is_active = $7::timestamptz is null, disabled_at = $7, disabled_reason = $8, probe_at = $9
     where id = $1`,
    [
      subscriptionId,
      health,
      failures,
      failingSince,
      lastFailureAt,
      lastSuccessAt,
      disabledAt ?? null,
      disabledReason ?? null,
      probeAt ?? null,
    ],
  )
}
