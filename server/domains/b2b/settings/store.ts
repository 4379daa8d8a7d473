import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import { initialSettings, isSettingName, type Settings } from './settings.ts'

interface SettingsTable {
  name: string
  /** JSON text. */
  value: string
  modifiedAt: Date
  modifiedBy: number | null
}
declare module '#platform/db/database.ts' {
  interface Tables {
    settings: SettingsTable
  }
}

/** The settings as this transaction sees them; settings that nobody has set have their initial values. */
export const readSettings = async (db: Db | Tx): Promise<Settings> => {
  const rows = await db.selectFrom('settings').select(['name', 'value']).execute()
  const set = rows
    .filter(({ name }) => isSettingName(name))
    .map(({ name, value }) => [name, JSON.parse(value)] as const)
  return { ...initialSettings, ...(Object.fromEntries(set) as Partial<Settings>) }
}

export interface Setter {
  readonly userId: number
  readonly now: Date
}

/** Sets what is given. Of two changes of one setting the later one stays; the others are left alone. */
export const saveSettings = async (tx: Tx, changes: Partial<Settings>, { userId, now }: Setter): Promise<void> => {
  const rows = Object.entries(changes)
    // Everybody in the same order, so nobody waits in a circle.
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => ({ name, value: JSON.stringify(value), modifiedAt: now, modifiedBy: userId }))
  if (rows.length === 0) return
  await tx
    .insertInto('settings')
    .values(rows)
    .onConflict((oc) =>
      oc.column('name').doUpdateSet({
        value: sql`excluded.value`,
        modifiedAt: sql`excluded.modified_at`,
        modifiedBy: sql`excluded.modified_by`,
      }),
    )
    .execute()
}
