import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import type { Quotation } from '../quotation.ts'
import type { QuotationStatus } from '#events/quotations.ts'

declare module '#platform/db/database.ts' {
  interface Tables {
    quotationCounts: { status: QuotationStatus; divisionId: number; userId: number; count: number }
  }
}

type Counted = Pick<Quotation, 'userId' | 'divisionId' | 'status'>

export const countNew = async (tx: Tx, { userId, divisionId, status }: Counted): Promise<void> => {
  await tx
    .insertInto('quotationCounts')
    .values({ userId, divisionId, status, count: 1 })
    .onConflict((oc) =>
      oc.columns(['userId', 'status', 'divisionId']).doUpdateSet({ count: sql<number>`quotation_counts.count + 1` }),
    )
    .execute()
}

/** Moves counts to other statuses. Rows are locked in one order: missing ones are made with 0, then all are changed. */
export const moveCounts = async (
  tx: Tx,
  moves: readonly { readonly from: Counted; readonly to: QuotationStatus }[],
): Promise<void> => {
  const deltas = new Map<string, Counted & { delta: number }>()
  const add = (row: Counted, delta: number): void => {
    const { userId, divisionId, status } = row
    const key = `${userId} ${status} ${divisionId}`
    const known = deltas.get(key) ?? { userId, divisionId, status, delta: 0 }
    deltas.set(key, { ...known, delta: known.delta + delta })
  }
  for (const { from, to } of moves) {
    add(from, -1)
    add({ ...from, status: to }, 1)
  }
  const changed = [...deltas.values()].filter(({ delta }) => delta !== 0)
  if (changed.length === 0) return
  const input = sql`unnest(
    ${changed.map(({ userId }) => userId)}::bigint[], ${changed.map(({ status }) => status)}::text[],
    ${changed.map(({ divisionId }) => divisionId)}::bigint[], ${changed.map(({ delta }) => delta)}::bigint[]
  ) as input (user_id, status, division_id, delta)`
  await sql`
    insert into quotation_counts as counted (user_id, status, division_id, count)
    select user_id, status, division_id, 0 from ${input} order by user_id, status, division_id
    on conflict (user_id, status, division_id) do update set count = counted.count`.execute(tx)
  await sql`
    update quotation_counts as counted set count = counted.count + input.delta from ${input}
    where (counted.user_id, counted.status, counted.division_id) = (input.user_id, input.status, input.division_id)
  `.execute(tx)
}

export interface CountFilter {
  readonly status?: readonly QuotationStatus[]
  readonly user?: number
  readonly division?: number
  /** The main division of the tree as it is now; null: there is none. */
  readonly root?: number | null
  /** Part of the phone number of the division. */
  readonly phone_number?: string
}

/** The ids of divisions with this part in their phone number, as an array of the database: what has an index is looked up in it. */
export const divisionsCalled = (part: string) => sql<number[]>`array(
  select divisions.id from divisions where strpos(lower(divisions.phone_number), lower(${part})) > 0)`

/** How many quotations there are of these statuses, this owner and these divisions; all where nothing is said. */
export const countQuotations = async (db: Db, filter: CountFilter): Promise<number> => {
  const { status, user, division, root, phone_number: phoneNumber } = filter
  let query = db.selectFrom('quotationCounts').select(sql<string>`coalesce(sum(count), 0)`.as('count'))
  if (status !== undefined) query = query.where('status', 'in', status)
  if (user !== undefined) query = query.where('userId', '=', user)
  if (division !== undefined) query = query.where('divisionId', '=', division)
  if (root !== undefined)
    query = query.where(sql<boolean>`division_id in (select id from divisions where root = ${root})`)
  if (phoneNumber !== undefined) query = query.where(sql<boolean>`division_id = any(${divisionsCalled(phoneNumber)})`)
  const { count } = await query.executeTakeFirstOrThrow()
  return Number(count)
}
