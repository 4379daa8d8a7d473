import { sql } from 'kysely'
import type { Database, Db } from '#platform/db/database.ts'

/** What the database keeps of the demo in it. */
export interface DemoMark {
  /** Where its receiver listens: hooks name the port, so it stays. */
  readonly receiverPort: number | null
  /** Whether all of it is there. */
  readonly isDone: boolean
}

/**
 * Marks an empty database as a demo before anything else is made in it.
 * @throws Error with one line when it holds anything but a demo; nothing was changed then.
 */
export const admitDatabase = async ({ db }: Pick<Database, 'db'>): Promise<void> => {
  const { rows } = await sql<{ tables: number; isDemo: boolean }>`
    select count(*)::integer as tables, coalesce(bool_or(table_schema = 'public' and table_name = 'demo'), false) as "isDemo"
    from information_schema.tables where table_schema not in ('pg_catalog', 'information_schema')`.execute(db)
  const [found] = rows
  if (found?.isDemo === true) return
  if (found === undefined || found.tables > 0)
    throw new Error('The database holds something else than a demo, and --demo leaves it alone: name an empty one.')
  await sql`
    create table demo (
      only_row boolean primary key default true check (only_row), receiver_port integer, is_done boolean not null default false
    )`.execute(db)
  await sql`insert into demo default values`.execute(db)
}

/** @throws Error with one line for a demo that was not finished. */
export const readMark = async (db: Db): Promise<DemoMark> => {
  const { rows } = await sql<DemoMark>`select receiver_port as "receiverPort", is_done as "isDone" from demo`.execute(
    db,
  )
  const [mark] = rows
  if (mark === undefined || (mark.receiverPort !== null && !mark.isDone))
    throw new Error('This demo was not finished when it was made. Delete its data, and start again.')
  return mark
}

/** Says that the making of the demo begins, and where its receiver is. */
export const markBegun = async (db: Db, receiverPort: number): Promise<void> => {
  await sql`update demo set receiver_port = ${receiverPort}`.execute(db)
}

/** Says that all of it is there. */
export const markDone = async (db: Db): Promise<void> => {
  await sql`update demo set is_done = true`.execute(db)
}
