import type { RunScript } from '#platform/db/database.ts'

/** A table that holds rows itself: partitions, and what is not partitioned. */
export interface Table {
  /** Quoted, with its schema. */
  readonly name: string
  /** Columns that are written, quoted; generated ones follow from them. */
  readonly columns: string
  readonly pages: number
}

/** In the order of their names, whatever the database sorts by. */
export const listTables = async (run: RunScript): Promise<Table[]> => {
  const rows = await run(`
    select format('%I.%I', n.nspname, c.relname) as name,
           string_agg(format('%I', a.attname), ', ' order by a.attname collate "C") as columns,
           (pg_relation_size(c.oid) / current_setting('block_size')::int)::int as pages
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relkind = 'r' and n.nspname in ('public', 'jobs') and c.relpersistence = 'p'
    group by n.nspname, c.relname, c.oid`)
  return byName(rows as unknown as Table[])
}

export interface Sequence {
  readonly name: string
  readonly value: string
  readonly called: boolean
}

export const listSequences = async (run: RunScript): Promise<Sequence[]> => {
  const rows = await run(`
    select format('%I.%I', schemaname, sequencename) as name from pg_sequences
    where schemaname in ('public', 'jobs')`)
  const sequences: Sequence[] = []
  for (const { name } of rows as unknown as { name: string }[]) {
    const [row] = await run(`select last_value::text as value, is_called as called from ${name}`)
    sequences.push({ name, ...(row as unknown as Omit<Sequence, 'name'>) })
  }
  return byName(sequences)
}

const byName = <T extends { readonly name: string }>(rows: readonly T[]): T[] =>
  rows.toSorted((one, other) => (one.name < other.name ? -1 : 1))

export interface Sum {
  readonly rows: string
  /** Of the text of every row, in any order. */
  readonly checksum: string
}

/** How both databases have to write values, for their texts to be the same. */
export const textSettings = `
  set timezone = 'UTC'; set datestyle = 'ISO, MDY'; set intervalstyle = 'postgres';
  set bytea_output = 'hex'; set extra_float_digits = 1`

/** Counts and sums up all rows of a table. */
export const sumOf = async (run: RunScript, { name, columns }: Table): Promise<Sum> => {
  const [row] = await run(`
    select count(*)::text as rows,
           coalesce(sum(('x' || substr(md5(row(${columns})::text), 1, 15))::bit(60)::bigint), 0)::text as checksum
    from ${name}`)
  return row as unknown as Sum
}

/** Partitions that one has and the other lacks, as statements that make them. */
export const partitionsOf = async (run: RunScript): Promise<Map<string, string>> => {
  const rows = await run(`
    select format('%I.%I', n.nspname, c.relname) as name,
           format('create table %I.%I partition of %s %s%s', n.nspname, c.relname, i.inhparent::regclass,
                  pg_get_expr(c.relpartbound, c.oid),
                  case when c.reloptions is null then '' else format(' with (%s)', array_to_string(c.reloptions, ', ')) end
           ) as statement
    from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_inherits i on i.inhrelid = c.oid
    where c.relispartition and c.relkind = 'r' and n.nspname in ('public', 'jobs')`)
  return new Map((rows as unknown as { name: string; statement: string }[]).map((row) => [row.name, row.statement]))
}
