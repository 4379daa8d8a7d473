import { sql, type RawBuilder } from 'kysely'

/**
 * What has been committed since an earlier look, whatever the order of ids and times: a row is new when the transaction
 * that wrote it was not visible in the snapshot of the earlier look (`pg_current_snapshot`). So nothing is missed of
 * transactions that were open then. Rows that were changed count as new; what was written under a savepoint may be missed.
 *
 * Every row has `xmin`, which no index has: what is looked at has to be narrowed by something else. `since` is for that.
 */
export interface Look {
  /** Of the database, before the look. */
  readonly at: Date
  readonly snapshot: Snapshot
}

/** Transaction numbers below `xmin` have ended, those from `xmax` on had not begun, and of those between `xip` were open. */
interface Snapshot {
  readonly xmin: bigint
  readonly xmax: bigint
  readonly xip: readonly bigint[]
}

/** Columns that every look has to select, in the statement that reads the new rows: `readLook` reads them. */
export const lookColumns = sql<LookRow>`statement_timestamp() as at, pg_current_snapshot()::text as snapshot`
export interface LookRow {
  readonly at: Date
  readonly snapshot: string
}

export const readLook = ({ at, snapshot }: LookRow): Look => {
  const [xmin = '0', xmax = '0', xip = ''] = snapshot.split(':')
  const open = xip === '' ? [] : xip.split(',').map(BigInt)
  return { at, snapshot: { xmin: BigInt(xmin), xmax: BigInt(xmax), xip: open } }
}

/** Time that clocks and the beginning of transactions may be apart. */
const marginMs = 2_000
/** A transaction that was open for longer may be missed. */
const maxOpenMs = 600_000

/** The looks so far, as far as they matter. */
export class Looks {
  #looks: readonly Look[] = []

  /** Takes note of a look. @returns false when it is of another database, or of one that was put back. */
  add(look: Look): boolean {
    const last = this.#looks.at(-1)
    const isLater = last === undefined || look.snapshot.xmax >= last.snapshot.xmax
    const earliest = this.#looks.findLastIndex(({ snapshot }) => snapshot.xmax <= look.snapshot.xmin)
    this.#looks = isLater ? [...this.#looks.slice(Math.max(earliest, 0)), look] : [look]
    return isLater
  }

  /** A time that everything new is younger than, when its time is that of its writing: no transaction that was open at the last look began before it. */
  get since(): Date {
    const last = this.#looks.at(-1)?.at.getTime() ?? 0
    const first = this.#looks[0]?.at.getTime() ?? 0
    return new Date(Math.max(first, last - maxOpenMs) - marginMs)
  }

  /** Whether a row is new since the last look. Transaction numbers have 32 bits in rows, and are compared by their ages. */
  isNew(table: string): RawBuilder<boolean> {
    const { snapshot } = this.#looks.at(-1) ?? { snapshot: { xmax: 0n, xip: [] } }
    const xmin = sql`${sql.id(table)}.xmin`
    const begun = sql`age(${xmin}) <= age(${inRow(snapshot.xmax)}::text::xid)`
    return sql<boolean>`(${begun} or ${xmin}::text = any(${snapshot.xip.map(inRow)}::text[]))`
  }
}

const inRow = (transaction: bigint): string => String(BigInt.asUintN(32, transaction))
