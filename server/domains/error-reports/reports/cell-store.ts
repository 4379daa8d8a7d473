import { CompiledQuery, sql, type Generated } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import { prepared } from '#platform/db/prepared.ts'
import { afterCommit } from '#platform/db/transaction.ts'
import type { Report } from './report.ts'

interface ErrorReportCellsTable extends Cell {
  id: Generated<number>
}
interface ErrorReportCountsTable {
  groupId: number
  day: string
  cellId: number
  count: number
}
declare module '#platform/db/database.ts' {
  interface Tables {
    errorReportCells: ErrorReportCellsTable
    errorReportCounts: ErrorReportCountsTable
  }
}

/** What lists are filtered by most: reports that are alike in it are one cell of the counts. */
export interface Cell {
  channelId: number | null
  actionContentType: number
  targetContentType: number | null
  /** The target is the channel itself. */
  targetsChannel: boolean
  isOk: boolean
}

export const cellOf = (
  report: Pick<Report, 'channelId' | 'actionContentType' | 'targetContentType' | 'targetObjectId' | 'isOk'>,
): Cell => ({
  channelId: report.channelId,
  actionContentType: report.actionContentType,
  targetContentType: report.targetContentType,
  targetsChannel: report.channelId !== null && report.targetObjectId === String(report.channelId),
  isOk: report.isOk,
})

const nameOf = ({ channelId, actionContentType, targetContentType, targetsChannel, isOk }: Cell): string =>
  JSON.stringify([channelId, actionContentType, targetContentType, targetsChannel, isOk])

/** The advisory lock that is the turn. Any number will do that nothing else of this server locks. */
export const turnLock = 7_239_120_462

/**
 * Makes changes of reports take turns, in all processes, until `tx` ends: they all touch the same few counts, and many
 * the same group, so they would wait for each other anyway, and then some in a circle. A change that waits costs
 * nothing, as creations come in batches. It also makes ids and times of creation go up together.
 */
export const takeTurn = async (tx: Tx): Promise<void> => {
  await tx.executeQuery(CompiledQuery.raw(lockStatement, [turnLock]))
}
const lockStatement = prepared('select pg_advisory_xact_lock($1)')

/** Finds cells by what they stand for. The caller has taken its turn. */
export interface Cells {
  /** @returns for each cell its id; those that are missing are made. */
  idsOf(tx: Tx, cells: readonly Cell[]): Promise<number[]>
}

/** Cells neither change nor go, so what is committed is remembered. */
export const makeCells = (): Cells => {
  const known = new Map<string, number>()
  return {
    async idsOf(tx, cells) {
      const missing = new Map(cells.map((cell) => [nameOf(cell), cell]))
      for (const name of missing.keys()) if (known.has(name)) missing.delete(name)
      const found = new Map<string, number>()
      for (const [name, cell] of missing) found.set(name, (await findCell(tx, cell)) ?? (await insertCell(tx, cell)))
      if (found.size > 0)
        afterCommit(tx, () => {
          for (const [name, id] of found) known.set(name, id)
        })
      return cells.map((cell) => known.get(nameOf(cell)) ?? found.get(nameOf(cell)) ?? 0)
    },
  }
}

const findCell = async (tx: Tx, cell: Cell): Promise<number | undefined> => {
  const row = await tx
    .selectFrom('errorReportCells')
    .select('id')
    .where('channelId', 'is not distinct from', cell.channelId)
    .where('actionContentType', '=', cell.actionContentType)
    .where('targetContentType', 'is not distinct from', cell.targetContentType)
    .where('targetsChannel', '=', cell.targetsChannel)
    .where('isOk', '=', cell.isOk)
    .executeTakeFirst()
  return row?.id
}

const insertCell = async (tx: Tx, cell: Cell): Promise<number> =>
  (await tx.insertInto('errorReportCells').values(cell).returning('id').executeTakeFirstOrThrow()).id

/** Reports that come into a cell (or, negative, leave it). */
export interface CountChange {
  readonly cellId: number
  readonly groupId: number | null
  readonly createdAt: Date
  readonly change: number
}

const allDays = '-infinity'

/** Keeps the counts. The caller has taken its turn, so that no other transaction changes them now. */
export const changeCounts = async (tx: Tx, changes: readonly CountChange[]): Promise<void> => {
  const sums = new Map<string, { group: number; day: string; cell: number; change: number }>()
  const add = (group: number, day: string, { cellId: cell, change }: CountChange): void => {
    const key = `${group} ${day} ${cell}`
    sums.set(key, { group, day, cell, change: change + (sums.get(key)?.change ?? 0) })
  }
  for (const one of changes) {
    add(0, allDays, one)
    add(0, one.createdAt.toISOString().slice(0, 10), one)
    if (one.groupId !== null) add(one.groupId, allDays, one)
  }
  const rows = [...sums.values()].filter(({ change }) => change !== 0)
  if (rows.length === 0) return
  const parameters = [
    rows.map(({ group }) => group),
    rows.map(({ day }) => day),
    rows.map(({ cell }) => cell),
    rows.map(({ change }) => change),
  ]
  await tx.executeQuery(CompiledQuery.raw(changeStatement, parameters))
}

const changeStatement = prepared(`
  with given as (
    select * from unnest($1::bigint[], $2::date[], $3::integer[], $4::bigint[]) as given(group_id, day, cell_id, change)
  ),
  changed as (
    update error_report_counts counted set count = counted.count + given.change
    from given
    where counted.group_id = given.group_id and counted.day = given.day and counted.cell_id = given.cell_id
    returning counted.group_id, counted.day, counted.cell_id
  )
  insert into error_report_counts (group_id, day, cell_id, count)
  select group_id, day, cell_id, change from given
  where not exists (select from changed where (changed.group_id, changed.day, changed.cell_id) = (given.group_id, given.day, given.cell_id))`)

/** A cell with how many reports it has: all, or those of one group. */
export interface CountedCell {
  readonly id: number
  readonly channelId: number | null
  readonly targetsChannel: boolean
  readonly count: number
  /** Reports of all cells. */
  readonly total: number
}

/** What cells are filtered by. Each kind of object is named by any number of filters, which all have to fit. */
export interface CellFilters {
  readonly channelId?: number | undefined
  /** Name of the catalogue of the channel. */
  readonly catalog?: string | undefined
  readonly actionContentTypes: readonly number[]
  readonly targetContentTypes: readonly number[]
  readonly isOk?: boolean | undefined
}

/** The cells that fit and have reports, of one group or of any. */
export const countedCells = async (
  db: Db,
  filters: CellFilters,
  groupId: number | undefined,
): Promise<CountedCell[]> => {
  const { channelId, catalog, isOk } = filters
  const rows = await db
    .selectFrom('errorReportCells as cell')
    .innerJoin('errorReportCounts as counted', 'counted.cellId', 'cell.id')
    .where('counted.groupId', '=', groupId ?? 0)
    .where('counted.day', '=', allDays)
    .where('counted.count', '>', 0)
    .where((eb) =>
      eb.and([
        ...(channelId === undefined ? [] : [eb('cell.channelId', '=', channelId)]),
        ...(catalog === undefined ? [] : [inCatalog(catalog)]),
        ...filters.actionContentTypes.map((type) => eb('cell.actionContentType', '=', type)),
        ...filters.targetContentTypes.map((type) => eb('cell.targetContentType', '=', type)),
        ...(isOk === undefined ? [] : [eb('cell.isOk', '=', isOk)]),
      ]),
    )
    .select(['cell.id', 'cell.channelId', 'cell.targetsChannel', 'counted.count'])
    .select(totalCount.as('total'))
    .execute()
  return rows
}

const inCatalog = (name: string) =>
  sql<boolean>`cell.channel_id in (
    select channels.id from channels join catalogs on catalogs.id = channels.catalog_id where catalogs.name = ${name})`
const totalCount = sql<number>`(select sum(count)::bigint from error_report_counts where group_id = 0 and day = '-infinity')`

/** How many reports of the cells (`undefined`: of all) were created on the days from one (inclusive) to another (not). */
export const countOnDays = async (
  db: Db,
  { from, before }: { readonly from: string; readonly before: string },
  cellIds: readonly number[] | undefined,
): Promise<number> => {
  const { count } = await db
    .selectFrom('errorReportCounts')
    .where('groupId', '=', 0)
    .where('day', '!=', allDays)
    .where('day', '>=', from)
    .where('day', '<', before)
    .$if(cellIds !== undefined, (query) => query.where(sql<boolean>`cell_id = any(${cellIds ?? []}::integer[])`))
    .select(sql<number>`coalesce(sum(count), 0)::bigint`.as('count'))
    .executeTakeFirstOrThrow()
  return count
}
