import { sql, type QueryExecutorProvider, type RawBuilder } from 'kysely'

/** How many rows a table has whose column has one of the values; all where no column is named. Triggers keep the counts. */
export const keptCount = (table: string, column = '', values: readonly string[] = ['']): RawBuilder<number> =>
  // Without filters the statement has no parameters, and keeps its plan.
  sql<number>`(select coalesce(sum(count), 0)::bigint from list_counts
    where list = ${sql.lit(table)} and filter = ${sql.lit(column)} and value in (${column === '' ? sql.lit('') : sql.join(values)}))`

export interface CountedValue {
  readonly value: string
  readonly count: number
}

/** How many rows of a table have each value of a column. */
export const keptCounts = (table: string, column: string): RawBuilder<CountedValue> =>
  sql<CountedValue>`select value, sum(count)::bigint as count from list_counts
    where list = ${sql.lit(table)} and filter = ${sql.lit(column)} group by value`

/** A process that starts again counts in new rows: adds up those of all connections but what is being changed this moment. */
export const foldListCounts = async (db: QueryExecutorProvider): Promise<void> => {
  await sql`
    with open as (select list, filter, value, backend from list_counts where backend <> 0 for update skip locked),
    folded as (
      delete from list_counts as kept using open where (kept.list, kept.filter, kept.value, kept.backend) =
        (open.list, open.filter, open.value, open.backend) returning kept.list, kept.filter, kept.value, kept.count)
    insert into list_counts as kept select list, filter, value, 0, sum(count) from folded
    group by list, filter, value order by list, filter, value
    on conflict (list, filter, value, backend) do update set count = kept.count + excluded.count`.execute(db)
}
