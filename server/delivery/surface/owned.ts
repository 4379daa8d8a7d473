import { orNotFound } from '#platform/errors.ts'
import type { Clock } from '#platform/clock.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Redeliveries } from '../redelivery/redeliveries.ts'
import type { Subscriptions } from '../subscriptions/subscriptions.ts'
import { mergeSettings, type SentSettings, type SettingsFields } from './settings.ts'

export interface ChangeDeps {
  readonly clock: Clock
  readonly subscriptions: Pick<Subscriptions, 'find' | 'replace' | 'switchOff'>
  readonly redeliveries: Pick<Redeliveries, 'startRetry'>
}

/**
 * Changes what a request names of a subscription that is locked. Switched off by a person is off for good, also where the
 * engine was trying it now and then. Switched on, what was kept meanwhile is sent: nobody else would ask for it.
 * @throws AppError 404; 400 that names what has to be sent again.
 */
export const changeSettings = async (
  tx: Tx,
  { clock, subscriptions, redeliveries }: ChangeDeps,
  id: number,
  { sent, fields }: { readonly sent: SentSettings; readonly fields: SettingsFields },
): Promise<void> => {
  const stored = orNotFound(await subscriptions.find(tx, id))
  if (Object.values(sent).every((value) => value === undefined)) return
  await subscriptions.replace(tx, id, mergeSettings(sent, { fields, unnamed: stored, stored }))
  if (sent.isActive === false) await subscriptions.switchOff(tx, [id], 'switched off')
  if (sent.isActive !== true || stored.isActive) return
  const held = { subscriptionIds: [id], statuses: ['held' as const] }
  await redeliveries.startRetry(tx, { filter: held, force: false, requestedBy: null }, clock.now())
}

/** A name as a part of the subject of an e-mail. */
export const onOneLine = (name: string): string => name.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim()
