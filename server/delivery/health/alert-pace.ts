import { hourMs } from '#platform/clock.ts'
import type { Tx } from '#platform/db/database.ts'
import type { HealthChange } from './health.ts'

/** The last change of an endpoint's health that was reported to people. */
export interface LastAlert {
  readonly at: Date
  readonly change: HealthChange
}

const quietMs = hourMs

/**
 * Whether a change is reported to people. An endpoint that goes up and down all the time is worth two messages
 * an hour, not one for each turn. Pure.
 */
export const isWorthTelling = (last: LastAlert | null, change: HealthChange, now: Date): boolean => {
  if (change === 'disabled') return true
  if (change === 'recovered') return last !== null && last.change !== 'recovered'
  return last === null || now.getTime() - last.at.getTime() >= quietMs
}

/** Decides by what is stored, and remembers the report. The subscription's row is locked by the caller. */
export const mayAlert = async (tx: Tx, subscriptionId: number, change: HealthChange, now: Date): Promise<boolean> => {
  const { alertedAt, alertedChange } = await tx
    .selectFrom('subscriptions')
    .select(['alertedAt', 'alertedChange'])
    .where('id', '=', subscriptionId)
    .executeTakeFirstOrThrow()
  const last = alertedAt === null || alertedChange === null ? null : { at: alertedAt, change: alertedChange }
  if (!isWorthTelling(last, change, now)) return false
  await tx
    .updateTable('subscriptions')
    .set({ alertedAt: now, alertedChange: change })
    .where('id', '=', subscriptionId)
    .execute()
  return true
}
