import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db, Tx } from '../db/database.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Vault } from './vault.ts'

/** A column of sealed texts, by its names in the database; null where there is none. */
export interface SealedColumn {
  readonly table: string
  readonly column: string
}

export interface Resealed {
  /** Sealed again with the present key. */
  readonly done: number
  /** Still sealed with an earlier key: damaged, or written just now by a process that has only that key. */
  readonly left: number
  /** Sealed with a key that is not known here. */
  readonly unknown: number
}

const batchSize = 200
const maxPasses = 5
const pauseMs = 200

/**
 * Seals everything in a column again that was sealed with an earlier key, a batch and a transaction at a time, so what
 * was killed goes on where it stopped when it is run again. Servers may be running: a row somebody else holds is left
 * to the next pass, and a row that changed meanwhile is not overwritten, because it is locked when it is read. The
 * text inside stays the same, so nobody has to be told.
 */
export const resealColumn = async (db: Db, vault: Vault, column: SealedColumn): Promise<Resealed> => {
  let done = 0
  for (let pass = 1; ; pass++) {
    done += await onePass(db, vault, column)
    const others = await countOthers(db, vault, column)
    if (others.left === 0 || pass === maxPasses) return { done, ...others }
    await sleep(pauseMs)
  }
}

const onePass = async (db: Db, vault: Vault, column: SealedColumn): Promise<number> => {
  let done = 0
  for (let after: string | undefined = '(0,0)'; after !== undefined;) {
    const start: string = after
    const batch = await inTransaction(db, (tx) => oneBatch(tx, vault, column, start))
    done += batch.done
    after = batch.last
  }
  return done
}

/** A row by its place (ctid), which stays the same while the row is locked. */
interface SealedRow {
  readonly place: string
  readonly sealed: string
}

/** @returns the last place looked at; undefined when nothing was left behind `after`. */
const oneBatch = async (
  tx: Tx,
  vault: Vault,
  { table, column }: SealedColumn,
  after: string,
): Promise<{ done: number; last: string | undefined }> => {
  const [name, text] = [sql.table(table), sql.ref(column)]
  const { rows } = await sql<SealedRow>`
    select ctid::text as place, ${text} as sealed from ${name}
    where left(${text}, ${vault.mark.length}) = any(${vault.earlierMarks}) and ctid > ${after}::tid
    order by ctid limit ${batchSize} for update skip locked`.execute(tx)
  const fresh = rows.flatMap(({ place, sealed }) => resealed(vault, sealed).map((again) => ({ place, sealed, again })))
  const { numAffectedRows = 0n } = await sql`
    update ${name} as kept set ${text} = fresh.again
    from unnest(${fresh.map(({ place }) => place)}::tid[], ${fresh.map(({ sealed }) => sealed)}::text[],
                ${fresh.map(({ again }) => again)}::text[]) as fresh(place, sealed, again)
    where kept.ctid = fresh.place and kept.${text} = fresh.sealed`.execute(tx)
  return { done: Number(numAffectedRows), last: rows.at(-1)?.place }
}

/** Nothing for a text that cannot be opened: it stays as it is, and is counted. */
const resealed = (vault: Vault, sealed: string): string[] => {
  try {
    return [vault.seal(vault.open(sealed))]
  } catch {
    return []
  }
}

const countOthers = async (
  db: Db,
  { mark, earlierMarks }: Vault,
  { table, column }: SealedColumn,
): Promise<Omit<Resealed, 'done'>> => {
  const begins = sql`left(${sql.ref(column)}, ${mark.length})`
  const { rows } = await sql<Omit<Resealed, 'done'>>`
    select count(*) filter (where ${begins} = any(${earlierMarks})) as left,
           count(*) filter (where ${begins} <> all(${[mark, ...earlierMarks]})) as unknown
    from ${sql.table(table)}`.execute(db)
  return rows[0] ?? { left: 0, unknown: 0 }
}
