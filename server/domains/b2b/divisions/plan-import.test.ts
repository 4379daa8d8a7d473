import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { noDetails, type Division } from './division.ts'
import { planImport, type DivisionRecord, type Plan } from './plan-import.ts'

const at = new Date('2026-11-21T09:30:00Z')
/** Divisions that are there, from `[code, code of the parent]`; their ids count from 1. */
const forest = (...edges: [code: string, parent: string | null][]): Division[] => {
  const parentOf = new Map(edges)
  const idOf = (code: string): number => edges.findIndex(([one]) => one === code) + 1
  const rootOf = (code: string): string => {
    const parent = parentOf.get(code) ?? null
    return parent === null ? code : rootOf(parent)
  }
  return edges.map(([code, parent]) => ({
    id: idOf(code),
    name: code,
    phoneNumber: '',
    erpCode: code,
    parent: parent === null ? null : idOf(parent),
    root: idOf(rootOf(code)),
    isActive: true,
    monthlyLimit: null,
    details: noDetails,
    createdAt: at,
    modifiedAt: at,
  }))
}
/** The rows of a table, from row 2. */
const table = (...rows: [code: string, parent: string | null | undefined, rest?: object][]): DivisionRecord[] =>
  rows.map(([erpCode, parentErpCode, rest = {}], index) => ({
    row: index + 2,
    erpCode,
    name: erpCode,
    phoneNumber: undefined,
    parentErpCode,
    monthlyLimit: undefined,
    isActive: undefined,
    ...rest,
  }))
const newIds = Array.from({ length: 50 }, (_, index) => 101 + index)
const plan = (records: DivisionRecord[], known: Division[] = []): Plan => planImport(records, known, newIds)
const links = (planned: Plan['created']) => planned.map(({ erpCode, parent, root }) => [erpCode, parent, root])
const rowsOf = ({ errors }: Plan) => errors.map(({ row }) => row).toSorted((a, b) => a - b)

describe('the plan of an import', () => {
  test('takes parents in any row, and that are there already', () => {
    const { created, errors } = plan(table(['C', 'B'], ['B', 'A'], ['A', null], ['X', 'HQ']), forest(['HQ', null]))
    expect(links(created)).toEqual([
      ['C', 102, 103],
      ['B', 103, 103],
      ['A', null, 103],
      ['X', 1, 1],
    ])
    expect(errors).toEqual([])
  })

  test('leaves what has no column as it is, and writes nothing where nothing changes', () => {
    const [known] = forest(['A', null])
    const there = { ...known, phoneNumber: '12', isActive: false, monthlyLimit: 500n } as Division
    expect(plan(table(['A', undefined]), [there])).toMatchObject({ created: [], updated: [], moves: [], unchanged: 1 })
    const { updated } = plan(table(['A', undefined, { name: 'New', monthlyLimit: null }]), [there])
    expect(updated).toMatchObject([{ name: 'New', phoneNumber: '12', isActive: false, monthlyLimit: null }])
  })

  test('moves a division with what hangs from it, and turns a tree round', () => {
    const known = forest(['A', null], ['B', 'A'], ['C', 'B'])
    const { updated, moves, errors } = plan(table(['A', 'C'], ['B', 'A'], ['C', null]), known)
    expect(errors).toEqual([])
    expect(links(updated)).toEqual([
      ['A', 3, 3],
      ['C', null, 3],
    ])
    expect(moves.map(({ id, root }) => [id, root])).toEqual([
      [1, 3],
      [2, 3],
      [3, 3],
    ])
  })

  test('refuses a row whose parent is nowhere, and every new one below it', () => {
    const result = plan(
      table(['C', 'B'], ['B', 'A'], ['A', 'GONE'], ['D', null], ['K', 'KNOWN'], ['KNOWN', 'GONE']),
      forest(['KNOWN', null]),
    )
    expect(rowsOf(result)).toEqual([2, 3, 4, 7])
    expect(links(result.created)).toEqual([
      ['D', null, 104],
      ['K', 1, 1],
    ])
    expect(result.errors.every(({ column }) => column === 'parent_erp_code')).toBe(true)
  })

  test('takes a code in any case for the division that has it, and leaves that its spelling', () => {
    const { created, updated, unchanged } = plan(
      table(['hq', null, { name: 'Head' }], ['B', 'Hq'], ['C', 'b']),
      forest(['HQ', null]),
    )
    expect([links(updated), unchanged]).toEqual([[['HQ', null, 1]], 0])
    expect(links(created)).toEqual([
      ['B', 1, 1],
      ['C', 101, 1],
    ])
  })

  test('tells divisions apart whose codes differ in case alone, as they could once', () => {
    const known = forest(['HQ', null], ['hq', null])
    const { updated, created } = plan(table(['hq', undefined, { name: 'Low' }], ['A', 'HQ'], ['B', 'hq']), known)
    expect(updated.map(({ id, name, erpCode }) => [id, name, erpCode])).toEqual([[2, 'Low', 'hq']])
    expect(created.map(({ erpCode, parent }) => [erpCode, parent])).toEqual([
      ['A', 1],
      ['B', 2],
    ])
  })

  test('refuses circles, also those that come from what was refused', () => {
    expect(rowsOf(plan(table(['A', 'A'])))).toEqual([2])
    expect(rowsOf(plan(table(['A', 'B'], ['B', 'C'], ['C', 'A'], ['D', 'C'])))).toEqual([2, 3, 4, 5])
    const known = forest(['A', null], ['B', 'A'])
    expect(rowsOf(plan(table(['A', 'B']), known))).toEqual([2])
    // The move of B is fine only when A goes away, and A has nowhere to go.
    expect(rowsOf(plan(table(['B', null], ['A', 'B'], ['C', 'GONE']), known))).toEqual([4])
    expect(rowsOf(plan(table(['B', 'GONE'], ['A', 'B']), known))).toEqual([2, 3])
  })
})

test('whatever a table says, there are trees afterwards, with the right roots', () => {
  const codes = ['A', 'B', 'C', 'D', 'E', 'F', 'G']
  const parents = fc.constantFrom(...codes, 'GONE', null, undefined)
  const tables = fc
    .uniqueArray(fc.tuple(fc.constantFrom(...codes), parents), { selector: ([code]) => code })
    .map((rows) => table(...rows))
  const known = forest(['A', null], ['B', 'A'], ['C', 'B'], ['D', null])
  fc.assert(
    fc.property(tables, (records) => {
      const { created, updated, unchanged, errors } = plan(records, known)
      expect(created.length + updated.length + unchanged + errors.length).toBe(records.length)
      const after = new Map([...known, ...updated, ...created].map((one) => [one.id, one]))
      for (const one of [...created, ...updated]) {
        let top: { id: number; parent: number | null } = one
        for (let steps = 0; top.parent !== null; steps += 1) {
          expect(steps).toBeLessThan(after.size)
          top = after.get(top.parent) ?? { id: Number.NaN, parent: null }
        }
        expect(one.root).toBe(top.id)
      }
    }),
    { numRuns: 300 },
  )
})

test('three hundred thousand rows, each below the next, are planned without walking down from each', () => {
  // Square of it would take minutes.
  const rows = 300_000
  const records = Array.from({ length: rows }, (_, n) =>
    table([`${n}`, n === rows - 1 ? null : `${n + 1}`]).map((record) => ({ ...record, row: n + 2 })),
  ).flat()
  const { created, errors } = planImport(
    records,
    [],
    records.map(({ row }) => row),
  )
  expect([created.length, errors.length, created[0]?.root]).toEqual([rows, 0, rows + 1])
})
