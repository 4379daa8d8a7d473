import { sql, type Generated, type Selectable } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import { Type } from 'typebox'
import { Id } from '#platform/http/schemas.ts'
import { defineList } from '#platform/lists/define-list.ts'
import { contains, equals, recordTimes, truth } from '#platform/lists/filters.ts'
import { mapRows, type Page, type Rows } from '#platform/lists/page.ts'
import { readList } from '#platform/lists/read-list.ts'
import { noDetails, type Division, type DivisionDetails, type DivisionFields } from './division.ts'

interface DivisionsTable extends Omit<DivisionFields, 'monthlyLimit' | 'details'> {
  id: Generated<number>
  root: number
  /** In hundredths. */
  monthlyLimit: number | null
  /** An object as JSON; what is not in it is unset. */
  details: string
  createdAt: Date
  modifiedAt: Date
}
declare module '#platform/db/database.ts' {
  interface Tables {
    divisions: DivisionsTable
  }
}

const columns = [
  ...(['id', 'name', 'phoneNumber', 'erpCode', 'parent', 'root', 'isActive', 'monthlyLimit'] as const),
  ...(['details', 'createdAt', 'modifiedAt'] as const),
] as const

export const toDivision = ({ monthlyLimit, details, ...row }: Selectable<DivisionsTable>): Division => ({
  ...row,
  details: { ...noDetails, ...(JSON.parse(details) as Partial<DivisionDetails>) },
  monthlyLimit: monthlyLimit === null ? null : BigInt(monthlyLimit),
})
const found = (row: Selectable<DivisionsTable> | undefined) => (row === undefined ? undefined : toDivision(row))
const toRow = ({ monthlyLimit, details, ...fields }: DivisionFields) => ({
  ...fields,
  details: JSON.stringify(details),
  monthlyLimit: monthlyLimit === null ? null : Number(monthlyLimit),
})

/** Makes writers of divisions wait for each other: two moves at once could make a circle. It is the first lock of a writer. */
export const lockTree = async (tx: Tx): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended('waybill:divisions', 0))`.execute(tx)
}

/** Ids for new divisions: a main division has its own as its root, so it has to be known before. */
export const reserveIds = async (tx: Tx, count: number): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('divisions', 'id')) as id from generate_series(1, ${count}::int)`.execute(tx)
  return rows.map(({ id }) => id)
}

/** The caller holds the tree, and has made sure that nobody has the ERP code. `root` of a main division is undefined. */
export const insertDivision = async (
  tx: Tx,
  fields: DivisionFields,
  root: number | undefined,
  now: Date,
): Promise<Division> => {
  const [id = 0] = await reserveIds(tx, 1)
  const { name, phoneNumber, erpCode, parent, isActive, monthlyLimit, details } = toRow(fields)
  const { rows } = await sql<Selectable<DivisionsTable>>`
    insert into divisions
      (id, name, phone_number, erp_code, parent, root, is_active, monthly_limit, details, created_at, modified_at)
    overriding system value
    values (${id}, ${name}, ${phoneNumber}, ${erpCode}, ${parent}, ${root ?? id}, ${isActive}, ${monthlyLimit}, ${details}, ${now}, ${now})
    returning *`.execute(tx)
  return toDivision(rows[0] as Selectable<DivisionsTable>)
}

/** Sets the fields of a division. The caller holds the tree, as for `insertDivision`, and moves what is below it. */
export const updateDivision = async (
  tx: Tx,
  id: number,
  { root, ...fields }: DivisionFields & { readonly root: number },
  now: Date,
): Promise<Division> => {
  const query = tx.updateTable('divisions').set({ ...toRow(fields), root, modifiedAt: now })
  const row = await query.where('id', '=', id).returningAll().executeTakeFirstOrThrow()
  return toDivision(row)
}

type Move = Pick<Division, 'id' | 'root'>

/** Gives the branches of moved divisions, at any depth, their new root. @returns all divisions that are in another tree. */
export const moveBranches = async (tx: Tx, moves: readonly Move[], now: Date): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    with recursive below (id, root) as (
      select * from unnest(${moves.map(({ id }) => id)}::bigint[], ${moves.map(({ root }) => root)}::bigint[])
      union
      select branch.id, below.root from divisions branch join below on branch.parent = below.id)
    update divisions set root = below.root, modified_at = ${now}
    from below where divisions.id = below.id and divisions.root <> below.root
    returning divisions.id`.execute(tx)
  return [...moves, ...rows].map(({ id }) => id)
}

/** The main division of a division, which nobody can move until the transaction ends. Held before what is moved along. */
export const holdRoot = async (tx: Tx, id: number): Promise<number> => {
  const query = tx.selectFrom('divisions').select('root').where('id', '=', id).forShare()
  return (await query.executeTakeFirstOrThrow()).root
}

/** Whether a division has none above it. */
export const isMainDivision = async (db: Db | Tx, id: number): Promise<boolean> =>
  (await db
    .selectFrom('divisions')
    .select('id')
    .where('id', '=', id)
    .where('parent', 'is', null)
    .executeTakeFirst()) !== undefined

/** Whether `id` is `top`, or hangs from it at any depth. */
export const isWithin = async (tx: Tx, id: number, top: number): Promise<boolean> => {
  const { rows } = await sql<{ id: number }>`
    with recursive above (id, parent) as (
      select id, parent from divisions where id = ${id}
      union
      select higher.id, higher.parent from divisions higher join above on higher.id = above.parent)
    select id from above where id = ${top}`.execute(tx)
  return rows.length > 0
}

export const findDivision = async (db: Db | Tx, id: number): Promise<Division | undefined> =>
  found(await db.selectFrom('divisions').select(columns).where('id', '=', id).executeTakeFirst())

/** Whether a division other than `id` has the ERP code, in whatever case (contract, section 7). The caller holds the tree. */
export const isErpCodeTaken = async (tx: Tx, erpCode: string, id = 0): Promise<boolean> => {
  const isSame = sql<boolean>`lower(erp_code) = lower(${erpCode}) and id <> ${id}`
  return (await tx.selectFrom('divisions').select('id').where(isSame).executeTakeFirst()) !== undefined
}

/** Whether there is such a division, active or not. */
export const divisionExists = async (db: Db | Tx, id: number): Promise<boolean> => {
  const row = await db.selectFrom('divisions').select('id').where('id', '=', id).executeTakeFirst()
  return row !== undefined
}

/** The root of a branch is never the division of somebody else's tree, so the same condition fits main divisions and branches. */
const orderable = (db: Db | Tx, divisionId: number) =>
  db
    .selectFrom('divisions')
    .where('isActive', '=', true)
    .where((eb) => eb.or([eb('id', '=', divisionId), eb('root', '=', divisionId)]))
    .where(sql<boolean>`exists (select from divisions own where own.id = ${divisionId} and own.is_active)`)

/** The active divisions that a person of a division orders for: the tree of a main division, a branch itself, none if inactive. */
export const orderableDivisions = async (db: Db | Tx, divisionId: number): Promise<Division[]> => {
  const rows = await orderable(db, divisionId).selectAll().orderBy('id').execute()
  return rows.map(toDivision)
}

export const orderableList = defineList({ filters: recordTimes, defaultLimit: 1000 })

export const listOrderable = async (db: Db, divisionId: number, page: Page): Promise<Rows<Division>> =>
  mapRows(await readList(db, orderableList, page, orderable(db, divisionId).selectAll()), toDivision)

export const divisionList = defineList({
  filters: {
    name: contains('name', 'the name'),
    phone_number: contains('phone_number', 'the phone number'),
    erp_code: equals('erp_code', Type.String()),
    parent: equals('parent', Type.Integer({ ...Id, description: 'Branches of this division.' })),
    root: equals('root', Type.Integer({ ...Id, description: 'The tree of this main division, itself included.' })),
    is_active: truth('is_active'),
    ...recordTimes,
  },
  orderings: {
    id: 'id',
    name: 'name',
    // A division without a code has the empty one to its readers.
    erp_code: sql`coalesce(erp_code, '')`,
    created_date: 'created_at',
    modified_date: 'modified_at',
  },
  defaultOrdering: 'id',
})

/** One page of the divisions that fit the filters of a query. @throws AppError 400 for a filter. */
export const listDivisions = async (db: Db, query: Page): Promise<Rows<Division>> =>
  mapRows(await readList(db, divisionList, query, db.selectFrom('divisions').selectAll()), toDivision)
