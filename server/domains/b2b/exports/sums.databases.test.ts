import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { digitsOf } from '#platform/money.ts'
import type { TableFormat } from '#platform/spreadsheets/table-file.ts'
import { makeSupervisor } from '#platform/supervisor.ts'
import { makeApprovedQuotations } from '#testing/data/make-approved-quotations.ts'
import { makeTestApp } from '#testing/make-test-app.ts'
import { findPython, readWithPython, type ReadCell } from '#testing/processes/python.ts'

// Whoever adds up a column of a file gets what is in the database, to the cent, in each currency.

const testApp = await makeTestApp()
const { app, call, database, services } = testApp
const { db } = database
const { quotation } = makeApprovedQuotations(db)
const supervisor = makeSupervisor(services, pino({ level: 'silent' }))
const directory = mkdtempSync(join(tmpdir(), 'waybill-sums-'))
beforeAll(() => supervisor.start())
afterAll(async () => {
  await supervisor.stop()
  rmSync(directory, { recursive: true, force: true })
})

const currencies = ['EUR', 'JPY', 'KWD'] as const
/** In minor units; as a number such an amount has fewer digits than a cell can hold. */
const amount = fc.bigInt({ min: 0n, max: 10n ** 12n })
const made = fc.record({
  currency: fc.constantFrom(...currencies),
  name: fc.constantFrom('=1+1', 'a;b\n"c"', 'Spring'),
  total: amount,
  net: amount,
  lines: fc.array(fc.record({ net: amount, quantity: fc.integer({ min: 1, max: 900 }) }), {
    minLength: 1,
    maxLength: 3,
  }),
  orders: fc.array(fc.record({ amount, status: fc.constantFrom('pending', 'created', 'failed') }), { maxLength: 4 }),
})
type Made = typeof made extends fc.Arbitrary<infer T> ? T : never

let worlds = 0
/** @returns the ids of the quotations, and the word in their names by which lists find them. */
const makeWorld = async (quotations: readonly Made[]) => {
  const word = `world-${(worlds += 1)}-`
  const ids: number[] = []
  for (const { currency, name, total, net, lines, orders } of quotations) {
    const division = [{ id: 1, quantity: 1 }]
    const of = lines.map((line, index) => ({ productRemoteId: `P${index}`, net: line.net, divisions: division }))
    const { id, number } = await quotation({ currency, lines: of })
    ids.push(id)
    await sql`
      update quotations set name = ${name + word}, total_amount = ${total}, net_amount = ${net} where id = ${id}`.execute(
      db,
    )
    await sql`
      update divisions set name = ${name} where id = (select division_id from quotations where id = ${id})`.execute(db)
    await sql`
      update quotation_items set quantity = line.quantity, total_amount = 2 * net_amount + 1
      from unnest(${lines.map((_, index) => `P${index}`)}::text[], ${lines.map((line) => line.quantity)}::integer[])
        as line (product, quantity)
      where quotation_id = ${id} and product_remote_id = line.product`.execute(db)
    await sql`
      insert into quotation_orders (number, quotation_id, revision, division_id, division_name, batch_no, quantity, amount,
        currency, items, status, remote_number, created_at, modified_at)
      select ${number} || '-' || position, id, 1, division_id, '', position, 1, one.amount, currency, '[]', one.status,
        case when one.status = 'created' then 'S-' || position end, now(), now()
      from quotations cross join unnest(${orders.map((one) => String(one.amount))}::bigint[],
        ${orders.map(({ status }) => status)}::text[]) with ordinality as one (amount, status, position)
      where id = ${id}`.execute(db)
  }
  return { word, ids }
}

type Row = Readonly<Record<string, string>>

/** The rows of an export, as a program reads them that is not ours. */
const exported = async (format: TableFormat, url: string): Promise<Row[]> => {
  const begun = await call('GET', `${url}&format=${format}`)
  expect([begun.statusCode, begun.body]).toEqual([202, expect.any(String)])
  const { status_cache_key: key } = begun.json<{ status_cache_key: string }>()
  const link = await vi.waitFor(
    async () => {
      const state = (await call('GET', `${url}&status_cache_key=${key}`)).json<{ url: string; status: string }>()
      expect(state.status).toBe('completed')
      return new URL(state.url)
    },
    { timeout: 20_000, interval: 20 },
  )
  const { rawPayload } = await app.inject({ method: 'GET', url: link.pathname + link.search })
  if (format === 'csv') return parse(rawPayload, { columns: true, bom: true })
  const path = join(directory, `${key}.${format}`)
  writeFileSync(path, rawPayload)
  const [header = [], ...rows] = readWithPython(format, path).map((row) => row.map(textOf))
  return rows.map((row) => Object.fromEntries(header.map((name, index) => [name, row[index] ?? ''])))
}

const textOf = (cell: ReadCell): string => {
  if (cell === null || typeof cell === 'string') return cell ?? ''
  return 'number' in cell ? String(cell.number) : cell.time
}

/** What the column adds up to in each currency, in minor units. */
const sumsOf = (rows: readonly Row[], column: string): Record<string, string> => {
  const sums: Record<string, bigint> = {}
  for (const { currency = '', [column]: cell = '' } of rows)
    sums[currency] = (sums[currency] ?? 0n) + BigInt(Math.round(Number(cell) * 10 ** (digitsOf(currency) ?? 2)))
  return Object.fromEntries(Object.entries(sums).map(([currency, sum]) => [currency, String(sum)]))
}

const sumsIn = async (table: string, column: string, ids: readonly number[]): Promise<Record<string, string>> => {
  const key = table === 'quotations' ? 'part.id' : 'part.quotation_id'
  const { rows } = await sql<{ currency: string; sum: string }>`
    select quotations.currency, coalesce(sum(${sql.ref(`part.${column}`)}), 0)::text as sum
    from quotations left join ${sql.table(table)} as part on ${sql.ref(key)} = quotations.id
    where quotations.id = any(${ids}) group by quotations.currency`.execute(db)
  return Object.fromEntries(rows.map(({ currency, sum }) => [currency, sum]))
}

const list =
  '/api/v1/quotations/export/?fields=currency,division,total_amount,net_amount,order_number,order_amount,is_first_row'

/** What a file of quotations adds up to, and what the database does, in the same form. */
const sumsOfLists = async (format: TableFormat, quotations: readonly Made[]) => {
  const { word, ids } = await makeWorld(quotations)
  const rows = await exported(format, `${list}&name=${word}`)
  const first = rows.filter((row) => row['is_first_row'] === '1')
  const together = await exported(format, `${list}&name=${word}&rows=quotations`)
  const sumsOfAmounts = (ofOrders: readonly Row[], ofQuotations: readonly Row[]) => ({
    rows: ofQuotations.length,
    total: sumsOf(ofQuotations, 'total_amount'),
    net: sumsOf(ofQuotations, 'net_amount'),
    ordered: sumsOf(ofOrders, 'order_amount'),
    numbers: ofOrders.flatMap((row) => row['order_number']?.split(', ') ?? []).filter((one) => one !== '').length,
  })
  const kept = {
    rows: ids.length,
    total: await sumsIn('quotations', 'total_amount', ids),
    net: await sumsIn('quotations', 'net_amount', ids),
    ordered: await sumsIn('quotation_orders', 'amount', ids),
    numbers: quotations.reduce((sum, { orders }) => sum + orders.length, 0),
  }
  return { file: [sumsOfAmounts(rows, first), sumsOfAmounts(together, together)], database: [kept, kept] }
}

const sumsOfItems = async (format: TableFormat, one: Made) => {
  const { ids } = await makeWorld([one])
  const rows = await exported(format, `/api/v1/quotations/${ids[0]}/export/?fields=currency,net_amount,division`)
  const file = {
    total: sumsOf(rows, 'total_amount'),
    net: sumsOf(rows, 'net_amount'),
    pieces: rows.reduce((sum, row) => sum + Number(row['quantity']), 0),
  }
  const kept = {
    total: await sumsIn('quotation_items', 'total_amount', ids),
    net: await sumsIn('quotation_items', 'net_amount', ids),
    pieces: one.lines.reduce((sum, { quantity }) => sum + quantity, 0),
  }
  return { file, database: kept }
}

test('a file adds up to what is in the database', async () => {
  const check = fc.asyncProperty(fc.array(made, { minLength: 1, maxLength: 6 }), made, async (quotations, one) => {
    for (const { file, database: kept } of [await sumsOfLists('csv', quotations), await sumsOfItems('csv', one)])
      expect(file).toEqual(kept)
  })
  await fc.assert(check, { numRuns: 3, endOnFailure: true })
}, 60_000)

test.skipIf(findPython() === undefined).each(['xls', 'xlsx'] as const)(
  'other programs read the same sums from an %s',
  async (format) => {
    const { file, database: kept } = await sumsOfLists(format, fc.sample(made, { numRuns: 6, seed: 20 }))
    expect(file).toEqual(kept)
  },
  60_000,
)
