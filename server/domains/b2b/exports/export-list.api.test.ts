import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { makeQuotationWorld } from '#testing/make-quotations.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const clock = makeFakeClock(new Date('2026-11-21T09:30:00.000Z'))
// Nothing works in the background, so what is begun waits.
const app = await makeTestApp({ clock, environment: { PUBLIC_URL: 'https://waybill.test' } })
const { db } = app.database
const { ask, main, mainBuyer, branch, chair, staff, must, admin } = await makeQuotationWorld(app)
const exportsOf = (who: Pick<typeof staff, 'call'>) => must(who.call('GET', '/api/v1/exports/'))
const quotation = await ask(mainBuyer, main)
await admin((await ask(mainBuyer, branch, { [chair]: 1_200 })).id, 'approve')

test('are listed for whoever asked, with how far they are and what asks for the same again', async () => {
  const query = 'format=csv&fields=name,number&status=pending&status=draft&name=a%26b&limit=5'
  const { status_cache_key: first } = await must(staff.call('GET', `/api/v1/quotations/export/?${query}`))
  clock.advance(60_000)
  await must(staff.call('GET', `/api/v1/quotations/${quotation.id}/export/?format=xlsx&fields=sku`))
  await must(app.call('GET', '/api/v1/quotations/export/'))
  await sql`update exports set status = 'processing', rows_done = 7, rows_total = 9 where cache_key = ${first}`.execute(
    db,
  )
  const { count, results } = await exportsOf(staff)
  expect(count).toBe(2)
  const [items, quotations] = results
  expect(quotations).toEqual({
    id: expect.any(Number),
    status_cache_key: first,
    kind: 'quotations',
    quotation: null,
    format: 'csv',
    url: '',
    status: 'processing',
    rows_done: 7,
    rows_total: 9,
    error: null,
    bytes: null,
    created_at: '2026-11-21T09:30:00.000Z',
    finished_at: null,
    expires_at: '2026-11-22T09:30:00.000Z',
    again: { method: 'GET', path: '/api/v1/quotations/export/', query: expect.any(String) },
  })
  expect(items).toMatchObject({
    kind: 'items',
    quotation: { id: quotation.id, number: quotation.number },
    format: 'xlsx',
    status: 'waiting',
  })
  // What is begun again is the same once more.
  for (const one of [items, quotations]) await must(staff.call('GET', `${one.again.path}?${one.again.query}`))
  const again = (await exportsOf(staff)).results
  expect(again.map((one: typeof items) => one.again)).toEqual(
    [quotations, items, items, quotations].map((one) => one.again),
  )
  const kept = await sql<{ query: string; fields: string }>`
    select query, fields from exports where quotation_id is null and format = 'csv' order by id`.execute(db)
  expect(kept.rows[1]).toEqual(kept.rows[0])
})

test('say where the file is while it is there, and are gone with it', async () => {
  const { status_cache_key: key } = await must(staff.call('GET', '/api/v1/quotations/export/?format=csv'))
  await sql`update exports set status = 'completed', file = 'x', bytes = 1234, finished_at = ${clock.now()}
    where cache_key = ${key}`.execute(db)
  const [made] = (await exportsOf(staff)).results
  const asked = await must(staff.call('GET', `/api/v1/quotations/export/?status_cache_key=${key}`))
  expect(made).toMatchObject({ bytes: 1234, finished_at: clock.now().toISOString(), url: asked.url })
  expect(made.url).toContain('https://waybill.test/api/v1/exports/')
  clock.advance(24 * 3_600_000)
  expect((await exportsOf(staff)).count).toBe(0)
  expect((await mainBuyer.call('GET', '/api/v1/exports/')).statusCode).toBe(403)
})

test('can be measured before, with the formats that hold as many rows', async () => {
  const rows = (query: string) => must(staff.call('GET', `/api/v1/quotations/export/rows/?${query}`))
  const formats = ['xls', 'csv', 'xlsx']
  expect(await rows('')).toEqual({ rows: 4, formats })
  expect(await rows('rows=quotations&ordering=name')).toEqual({ rows: 2, formats })
  expect(await rows('status=approved&limit=1')).toEqual({ rows: 3, formats })
  expect((await staff.call('GET', '/api/v1/quotations/export/rows/?statuss=approved')).statusCode).toBe(400)
  await sql`alter table quotation_orders disable trigger user`.execute(db)
  await sql`
    insert into quotation_orders (number, quotation_id, revision, division_id, division_name, batch_no, quantity, amount, currency,
      items, status, attempts, created_at, modified_at)
    select 'many-' || number, ${quotation.id}, 1, ${main}, '', number, 1, 0, 'EUR', '[]', 'created', 0, now(), now()
    from generate_series(1, 65536) as number`.execute(db)
  expect(await rows('')).toEqual({ rows: 65_539, formats: ['csv', 'xlsx'] })
})
