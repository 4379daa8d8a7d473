import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeApprovedQuotations } from '#testing/data/make-approved-quotations.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import type { TableFormat } from '#platform/spreadsheets/table-file.ts'
import type { ExportQuery } from './export.ts'
import { documentedListFields } from './fields.ts'
import { copyStatement, countRows } from './rows-store.ts'

const database = await openTestDatabase()
const { db } = database
const { quotation } = makeApprovedQuotations(db)
const amounts: Readonly<Record<string, string>> = { EUR: '1234567.89', JPY: '123456789', KWD: '123456.789' }
const ids: Record<string, number> = {}
beforeAll(async () => {
  for (const currency of Object.keys(amounts)) {
    const { id } = await quotation({ currency })
    await sql`update quotations set total_amount = 123456789, net_amount = 5 where id = ${id}`.execute(db)
    ids[currency] = id
  }
})

const never = new AbortController().signal
const copied = async (fields: readonly string[], query: ExportQuery = {}, format: TableFormat = 'csv') => {
  const statement = copyStatement(db, { userId: 1, quotationId: null, format, fields, query })
  const chunks: Buffer[] = []
  for await (const chunk of database.copyOut(statement, never)) chunks.push(chunk)
  return Buffer.concat(chunks)
}
const rowsOf = async (...asked: Parameters<typeof copied>) => parse(await copied(...asked))

test('amounts have the digits of their currency', async () => {
  for (const [currency, amount] of Object.entries(amounts)) {
    const row = (await rowsOf(['id', 'total_amount', 'net_amount'])).find(([id]) => id === String(ids[currency]))
    expect(row?.[1]).toBe(amount)
  }
  const smallest = (await rowsOf(['net_amount'], { ordering: 'id' })).flat()
  expect(smallest).toEqual(['0.05', '5', '0.005'])
})

test('nothing is joined that is in no column', () => {
  const joinsOf = (fields: readonly string[], query: ExportQuery = {}) =>
    [
      ...copyStatement(db, { userId: 1, quotationId: null, format: 'csv', fields, query }).matchAll(/join \w+ (\w+)/g),
    ].map(([, name]) => name)
  expect(joinsOf(documentedListFields)).toEqual(['orders', 'owner'])
  expect(joinsOf(['id', 'currency'])).toEqual(['orders'])
  expect(joinsOf(['id', 'currency'], { rows: 'quotations' })).toEqual([])
  expect(joinsOf(['division', 'user'], { rows: 'quotations' })).toEqual(['owner', 'division'])
})

test('the orders of a quotation together have the status that somebody should look at first', async () => {
  const { id } = await quotation()
  const seen: (string | undefined)[] = []
  for (const [position, status] of ['created', 'pending', 'failed', 'created'].entries()) {
    await sql`
      insert into quotation_orders (number, quotation_id, revision, division_id, division_name, batch_no, quantity, amount,
        currency, items, status, created_at, modified_at)
      select number || ${`-${position}`}, id, 1, division_id, '', ${position}::integer, 1, 1, currency, '[]', ${status}, now(), now()
      from quotations where id = ${id}`.execute(db)
    const rows = await rowsOf(['id', 'order_status'], { rows: 'quotations' })
    seen.push(rows.find(([one]) => one === String(id))?.[1])
  }
  expect(seen).toEqual(['created', 'pending', 'failed', 'failed'])
  await sql`delete from quotation_orders where quotation_id = ${id}`.execute(db)
  await sql`delete from quotation_items where quotation_id = ${id}`.execute(db)
  await sql`delete from quotations where id = ${id}`.execute(db)
})

test('there are as many rows as are counted, however they are limited', async () => {
  for (const query of [
    {},
    { limit: 2 },
    { limit: 99 },
    { status: ['draft'] },
    { ordering: 'name', limit: 1 },
    { rows: 'quotations' as const },
  ]) {
    const rows = await rowsOf(['id'], query)
    expect(await countRows(db, { quotationId: null, query })).toBe(rows.length)
  }
  expect(await rowsOf(['id'], { limit: 2, ordering: 'id' })).toHaveLength(2)
})

describe('a text', () => {
  const name = fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }).map((text) => text.replaceAll('\0', ''))
  const odd = ['=1+1', '+49 30', '-1', '@sum', '＝1', '\t=1', '\r=1', "'quoted'", 'a "b", c\nd\r\ne', '', ' =1', '007']
  const inside = ['x;=cmd', 'x\t=cmd', 'x\n@cmd', 'x;"=cmd"', 'x;""\t=1;\r\n+2', ';;-1', '"=1"', 'x;＝1', 'a;b', '1;2']

  test('is never a formula in csv, and otherwise what it is', async () => {
    const id = ids['EUR'] ?? 0
    const check = fc.asyncProperty(name, async (text) => {
      await sql`update quotations set name = ${text} where id = ${id}`.execute(db)
      const [[safe = ''] = []] = await rowsOf(['name'], { ordering: 'id', limit: 1 })
      const [[exact = ''] = []] = await rowsOf(['name'], { ordering: 'id', limit: 1 }, 'xlsx')
      expect(exact).toBe(text)
      const inner = text.replaceAll(/([;\t\r\n]"*)(?=[=+\-@＝＋－＠])/g, "$1'")
      expect(safe).toBe(/^[=+\-@＝＋－＠\t\r\n]/.test(text) ? `'${inner}` : inner)
    })
    await fc.assert(check, { numRuns: 50, examples: [...odd, ...inside].map((text) => [text]) })
  })

  test('is no formula either for a program that takes another character than the comma to part cells', async () => {
    for (const text of inside) {
      await sql`update quotations set name = ${text} where id = ${ids['EUR'] ?? 0}`.execute(db)
      const bytes = await copied(['id', 'name', 'status'], { ordering: 'id', limit: 1 })
      for (const delimiter of [',', ';', '\t', '|']) {
        const cells = parse(bytes, { delimiter, relax_quotes: true, relax_column_count: true }).flat()
        // Programs differ in whether they leave quotes out that stand in the middle.
        const formula = delimiter === ',' ? /^[=+\-@＝＋－＠]/ : /^"*[=+\-@＝＋－＠]/
        expect([text, delimiter, cells.filter((cell) => formula.test(cell))]).toEqual([text, delimiter, []])
      }
    }
  })

  test('is in quotes in csv, whatever parts cells elsewhere; numbers and nothing are not', async () => {
    const id = ids['EUR'] ?? 0
    await sql`update quotations set name = 'a;b' where id = ${id}`.execute(db)
    const line = (await copied(['id', 'name', 'order_status', 'status'], { ordering: 'id', limit: 1 })).toString()
    expect(line).toBe(`${id},"a;b",,"approved"\n`)
  })
})

test('all rows are of one moment, whatever others commit meanwhile', async () => {
  await sql`
    insert into quotations (number, name, user_id, division_id, root_division_id, status, currency, total_amount, total_units,
      net_amount, created_at, modified_at)
    select 'N-' || n, 'round 0', user_id, division_id, root_division_id, status, currency, 0, 0, 0, created_at, modified_at
    from quotations cross join generate_series(1, 3000) as n where id = ${ids['EUR']}`.execute(db)
  const over = new AbortController()
  const rounds: string[] = []
  const change = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const name = `round ${rounds.length + 1}`
      await sql`update quotations set name = ${name} where number like 'N-%'`.execute(db)
      rounds.push(name)
    }
  }
  const changing = change()
  const seen: string[][] = []
  while (rounds.length < 3 || seen.length < 5)
    seen.push([...new Set((await rowsOf(['name'], { name: 'round' })).flat())])
  over.abort()
  await changing
  expect(seen.map((names) => names.length)).toEqual(seen.map(() => 1))
  expect(await rowsOf(documentedListFields, { name: 'round', limit: 1 })).toHaveLength(1)
})
