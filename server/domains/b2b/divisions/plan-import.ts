import type { Minor } from '#platform/money.ts'
import type { RowError } from '../imports/index.ts'
import { differs, erpCodeKey, unsaid, type Division, type DivisionFields } from './division.ts'

/** A row of the table, each code in one of them. What is undefined has no column, and stays as it is. */
export interface DivisionRecord {
  readonly row: number
  readonly erpCode: string
  readonly name: string
  readonly phoneNumber: string | undefined
  /** null: a main division. */
  readonly parentErpCode: string | null | undefined
  readonly monthlyLimit: Minor | null | undefined
  readonly isActive: boolean | undefined
}

export type Planned = DivisionFields & { readonly id: number; readonly root: number }

/** What has to be written for a table. */
export interface Plan {
  readonly created: readonly Planned[]
  readonly updated: readonly Planned[]
  readonly unchanged: number
  /** Divisions of the table that come into another tree, with what hangs from them. */
  readonly moves: readonly Pick<Planned, 'id' | 'root'>[]
  readonly errors: readonly RowError[]
}

/** Where a row wants its division to be. `parent` is undefined while there is none of that code. */
interface Wanted {
  readonly id: number
  readonly record: DivisionRecord
  readonly parent: number | null | undefined
}

/**
 * Decides what becomes of the rows of a table. A row whose parent is not there, or would hang from itself, is refused; when
 * that division is new, so is every row below it. All others are taken, in whatever order they stand.
 * @param known every division that the rows or their parents name, and all that those hang from.
 * @param newIds an id for each row whose code is not known.
 */
export const planImport = (
  records: readonly DivisionRecord[],
  known: readonly Division[],
  newIds: readonly number[],
): Plan => {
  const byId = new Map(known.map((division) => [division.id, division]))
  const { wanted, errors } = refuseImpossible(wantedOf(records, known, newIds), byId)
  const rootOf = makeRootOf(wanted, byId)
  const planned = [...wanted.values()].map((one) => {
    return { ...fieldsOf(one, byId.get(one.id)), id: one.id, root: rootOf(one.id) }
  })
  const isNew = ({ id }: Planned): boolean => !byId.has(id)
  const isChanged = ({ id, root: _root, ...fields }: Planned): boolean => {
    const division = byId.get(id)
    return division !== undefined && differs(division, fields)
  }
  const updated = planned.filter(isChanged)
  return {
    created: planned.filter(isNew),
    updated,
    unchanged: planned.filter((one) => !isNew(one) && !isChanged(one)).length,
    moves: planned.filter((one) => !isNew(one) && byId.get(one.id)?.root !== one.root),
    errors,
  }
}

const wantedOf = (
  records: readonly DivisionRecord[],
  known: readonly Division[],
  newIds: readonly number[],
): Wanted[] => {
  const exactly = new Map(known.map(({ erpCode, id }) => [erpCode, id]))
  const byKey = new Map(known.map(({ erpCode, id }) => [erpCodeKey(erpCode ?? ''), id]))
  const added = records.filter(({ erpCode }) => !byKey.has(erpCodeKey(erpCode)))
  for (const [index, { erpCode }] of added.entries()) byKey.set(erpCodeKey(erpCode), newIds[index] ?? 0)
  // Divisions from before codes were unique in any case may share a key: then the very code decides.
  const idOf = (code: string): number | undefined => exactly.get(code) ?? byKey.get(erpCodeKey(code))
  const parentNow = new Map(known.map(({ id, parent }) => [id, parent]))
  return records.map((record) => {
    const id = idOf(record.erpCode) ?? 0
    const { parentErpCode: code } = record
    if (code === undefined) return { id, record, parent: parentNow.get(id) ?? null }
    return { id, record, parent: code === null ? null : idOf(code) }
  })
}

/** The rows that can be taken together, by id, and why the others cannot. */
const refuseImpossible = (all: readonly Wanted[], byId: ReadonlyMap<number, Division>) => {
  const wanted = new Map(all.map((one) => [one.id, one]))
  const below = Map.groupBy(all, ({ parent }) => parent)
  const errors: RowError[] = []
  const refuse = (ones: readonly Wanted[], why: (one: Wanted) => string): void => {
    const queue = ones.map((one) => ({ one, message: why(one) }))
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      const { one, message } = next
      if (!wanted.delete(one.id)) continue
      errors.push({ row: one.record.row, column: 'parent_erp_code', message })
      // A division that is there already stays where it is, and can be a parent.
      if (byId.has(one.id)) continue
      for (const child of below.get(one.id) ?? []) {
        queue.push({ one: child, message: `The division ${one.record.erpCode} is not created.` })
      }
    }
  }

  const lost = all.filter(({ parent }) => parent === undefined)
  refuse(lost, ({ record }) => `There is no division with the ERP code ${record.parentErpCode ?? ''}.`)
  // What is refused stays where it is, which can make a circle with rows that counted on its move.
  for (let circles = inCircles(wanted, byId); circles.length > 0; circles = inCircles(wanted, byId)) {
    refuse(circles, () => 'The division would be a branch of itself.')
  }
  return { wanted, errors }
}

const parentIn = (id: number, wanted: ReadonlyMap<number, Wanted>, byId: ReadonlyMap<number, Division>) => {
  const one = wanted.get(id)
  return (one === undefined ? byId.get(id)?.parent : one.parent) ?? null
}

/** The rows that make circles: of each circle those that put a division where it is not yet, of which there is one at least. */
const inCircles = (wanted: ReadonlyMap<number, Wanted>, byId: ReadonlyMap<number, Division>): Wanted[] => {
  const walkOf = new Map<number, number>()
  const found: Wanted[] = []
  for (const start of wanted.keys()) {
    const path: number[] = []
    let id: number | null = start
    while (id !== null && !walkOf.has(id)) {
      walkOf.set(id, start)
      path.push(id)
      id = parentIn(id, wanted, byId)
    }
    // Only a walk that meets itself goes round.
    if (id !== null && walkOf.get(id) === start) {
      const circle = path.slice(path.indexOf(id)).flatMap((member) => wanted.get(member) ?? [])
      found.push(...circle.filter((one) => byId.get(one.id)?.parent !== one.parent))
    }
  }
  return found
}

/** Finds the main division of each tree once, however deep it is. */
const makeRootOf = (wanted: ReadonlyMap<number, Wanted>, byId: ReadonlyMap<number, Division>) => {
  const roots = new Map<number, number>()
  return (id: number): number => {
    const path = [id]
    let root = roots.get(id)
    for (let last = id; root === undefined;) {
      const parent = parentIn(last, wanted, byId)
      root = parent === null ? last : roots.get(parent)
      if (parent !== null) path.push(parent)
      last = parent ?? last
    }
    for (const passed of path) roots.set(passed, root)
    return root
  }
}

const fieldsOf = ({ record, parent }: Wanted, now: Omit<DivisionFields, 'name'> = unsaid): DivisionFields => ({
  name: record.name,
  phoneNumber: record.phoneNumber ?? now.phoneNumber,
  erpCode: now.erpCode ?? record.erpCode,
  parent: parent ?? null,
  isActive: record.isActive ?? now.isActive,
  monthlyLimit: record.monthlyLimit === undefined ? now.monthlyLimit : record.monthlyLimit,
  details: now.details,
})
