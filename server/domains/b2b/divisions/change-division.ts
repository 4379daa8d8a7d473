import type { Db, Tx } from '#platform/db/database.ts'
import { invalidField, orNotFound } from '#platform/errors.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import { changedDetails, differs, type Division, type DivisionFields, type SentDetails } from './division.ts'
import {
  findDivision,
  insertDivision,
  isErpCodeTaken,
  isWithin,
  lockTree,
  moveBranches,
  updateDivision,
} from './store.ts'

/** What is left of the limits of these divisions this month, in a currency (null: in that in which least is left). null: no limit. */
export type RemainingOf = (
  db: Db | Tx,
  divisionIds: readonly number[],
  currency: string | null,
) => Promise<readonly (string | null)[]>

export interface DivisionDeps extends SliceDeps {
  readonly remainingOf: RemainingOf
  /** Moves what is kept by tree along with these divisions, which are in another tree now. */
  readonly followMove: (tx: Tx, divisionIds: readonly number[]) => Promise<void>
}

/** The two changes a division can go through. Whoever makes one holds the tree (`lockTree`). */
export const makeDivisionChanges = ({ clock, followMove }: Pick<DivisionDeps, 'clock' | 'followMove'>) => ({
  /** @throws AppError 400 when the ERP code is taken or there is no such parent. */
  async create(tx: Tx, fields: DivisionFields, sent: SentDetails): Promise<Division> {
    await lockTree(tx)
    await refuseTaken(tx, fields.erpCode)
    const now = clock.now()
    const details = changedDetails(fields.details, sent, now)
    return insertDivision(tx, { ...fields, details }, (await parentOf(tx, fields.parent))?.root, now)
  },

  /** Sets fields; a division with another parent takes along its branches and their quotations. @throws AppError 404; 400. */
  async update(tx: Tx, id: number, changes: Partial<DivisionFields>, sent: SentDetails): Promise<Division> {
    await lockTree(tx)
    const division = orNotFound(await findDivision(tx, id))
    const { id: _id, root, createdAt: _createdAt, modifiedAt: _modifiedAt, ...current } = division
    const now = clock.now()
    const details = changedDetails(division.details, sent, now)
    const wanted: DivisionFields = { ...current, ...changes, details }
    if (!differs(division, wanted)) return division
    if (wanted.erpCode !== division.erpCode) await refuseTaken(tx, wanted.erpCode, id)
    const isMoved = wanted.parent !== division.parent
    const newRoot = isMoved ? await rootAt(tx, id, wanted.parent) : root
    const updated = await updateDivision(tx, id, { ...wanted, root: newRoot }, now)
    if (newRoot !== root) await followMove(tx, await moveBranches(tx, [{ id, root: newRoot }], now))
    return updated
  },
})

const refuseTaken = async (tx: Tx, erpCode: string | null, id?: number): Promise<void> => {
  if (erpCode === null || !(await isErpCodeTaken(tx, erpCode, id))) return
  throw invalidField('erp_code', 'Another division has this ERP code; case makes no difference.')
}

const parentOf = async (tx: Tx, id: number | null): Promise<Division | undefined> => {
  if (id === null) return undefined
  const parent = await findDivision(tx, id)
  if (parent === undefined) throw invalidField('parent', 'There is no such division.')
  return parent
}

/** The root that a division gets with a parent. */
const rootAt = async (tx: Tx, id: number, parentId: number | null): Promise<number> => {
  const parent = await parentOf(tx, parentId)
  if (parent === undefined) return id
  if (await isWithin(tx, parent.id, id)) throw invalidField('parent', 'A division cannot be a branch of itself.')
  return parent.root
}
