import type { Tx } from '#platform/db/database.ts'
import type { Minor } from '#platform/money.ts'
import { makeCheckRow, readRecords, type CsvRow, type CsvTable, type Outcome, type RowError } from '../imports/index.ts'
import type { DivisionDeps } from './change-division.ts'
import { erpCodeKey, notALimit, parseLimit } from './division.ts'
import { divisionsAbove, insertDivisions, updateDivisions } from './import-store.ts'
import { planImport, type DivisionRecord } from './plan-import.ts'
import { DivisionRow, type DivisionRowFields } from './schemas.ts'
import { lockTree, moveBranches, reserveIds } from './store.ts'

/** Columns of the table; each means the field of that name. */
export const divisionColumns = {
  required: ['erp_code', 'name'],
  optional: ['phone_number', 'parent_erp_code', 'monthly_order_limit', 'is_active'],
} as const

/** Creates, changes and moves the divisions of a table, by ERP code. */
export const makeImportDivisions =
  ({ clock, followMove }: Pick<DivisionDeps, 'clock' | 'followMove'>) =>
  async (tx: Tx, table: CsvTable): Promise<Outcome> => {
    const { records, errors } = readRecords(table, readRow, {
      column: 'erp_code',
      of: ({ erpCode }) => erpCodeKey(erpCode),
    })

    await lockTree(tx)
    const known = await divisionsAbove(tx, records.flatMap(namedIn))
    const codes = new Set(known.map(({ erpCode }) => erpCodeKey(erpCode ?? '')))
    const added = records.filter(({ erpCode }) => !codes.has(erpCodeKey(erpCode))).length
    const plan = planImport(records, known, await reserveIds(tx, added))
    const now = clock.now()
    await insertDivisions(tx, plan.created, now)
    await updateDivisions(tx, plan.updated, now)
    await followMove(tx, await moveBranches(tx, plan.moves, now))
    return {
      created: plan.created.length,
      updated: plan.updated.length,
      unchanged: plan.unchanged,
      errors: [...errors, ...plan.errors],
    }
  }

const namedIn = ({ erpCode, parentErpCode }: DivisionRecord): string[] => [
  erpCode,
  ...(parentErpCode ? [parentErpCode] : []),
]

const checkRow = makeCheckRow<DivisionRowFields>(DivisionRow, ['is_active'])

const readRow = (csvRow: CsvRow): DivisionRecord | RowError[] => {
  const checked = checkRow(csvRow)
  if ('errors' in checked) return [...checked.errors]
  const {
    erp_code: erpCode,
    name,
    phone_number: phoneNumber,
    parent_erp_code: parent,
    is_active: isActive,
  } = checked.fields
  const monthlyLimit = limitIn(checked.fields.monthly_order_limit)
  if (monthlyLimit === 'wrong') return [{ row: csvRow.number, column: 'monthly_order_limit', message: notALimit }]
  const parentErpCode = parent === '' ? null : parent
  return { row: csvRow.number, erpCode, name, phoneNumber, parentErpCode, monthlyLimit, isActive }
}

/** An empty cell is no limit; without the column it stays as it is. */
const limitIn = (cell: string | undefined): Minor | null | undefined | 'wrong' => {
  if (cell === undefined) return undefined
  const limit = cell === '' ? null : parseLimit(cell)
  return limit === undefined ? 'wrong' : limit
}
