import type { GeneratedAlways } from 'kysely'
import type { Db, Tables, Tx } from '#platform/db/database.ts'
import { defineList } from '#platform/lists/define-list.ts'
import { time } from '#platform/lists/filters.ts'
import type { Page, Rows } from '#platform/lists/page.ts'
import { readList } from '#platform/lists/read-list.ts'

/** `failing`, `disabled` and `recovered` come of answers; people switch off and on. */
export const recordedChanges = ['failing', 'disabled', 'recovered', 'switched_off', 'switched_on'] as const

interface HealthChangesTable {
  id: GeneratedAlways<number>
  subscriptionId: number
  at: Date
  change: (typeof recordedChanges)[number]
  reason: string | null
  failures: number
  failingSince: Date | null
}
declare module '#platform/db/database.ts' {
  interface Tables {
    healthChanges: HealthChangesTable
  }
}

/** One change of a subscription's health, or of its switch. */
export type RecordedChange = Readonly<Omit<Tables['healthChanges'], 'id'>>

/** Keeps changes, in the transaction that makes them; nothing changes them any more. */
export const appendHealthChanges = async (tx: Tx, changes: readonly RecordedChange[]): Promise<void> => {
  if (changes.length > 0)
    await tx
      .insertInto('healthChanges')
      .values([...changes])
      .execute()
}

export const healthHistory = defineList({ defaultOrdering: '-id', filters: { at: time('at', 'Changed') } })

/** The changes of a subscription that are kept, the newest first. */
export const listHealthChanges = (db: Db, subscriptionId: number, page: Page): Promise<Rows<RecordedChange>> =>
  readList(
    db,
    healthHistory,
    page,
    db
      .selectFrom('healthChanges')
      .select(['subscriptionId', 'at', 'change', 'reason', 'failures', 'failingSince'])
      .where('subscriptionId', '=', subscriptionId),
  )
