import type { RunScript } from '#platform/db/database.ts'

/** Rows of one statement: more would make texts that take long to read. */
const atOnce = 4_000

/** Inserts rows, of which all have the same columns, as they are; ids included. */
export const insertRows = async (
  run: RunScript,
  table: string,
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<void> => {
  const columns = Object.keys(rows[0] ?? {}).join(', ')
  for (let from = 0; from < rows.length; from += atOnce)
    await run(
      `insert into ${table} (${columns}) overriding system value
       select ${columns} from json_populate_recordset(null::${table}, $1::json)`,
      [JSON.stringify(rows.slice(from, from + atOnce))],
    )
}
