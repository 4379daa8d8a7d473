import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { parse } from 'csv-parse/sync'
import { contentTypeOf } from '#platform/spreadsheets/table-file.ts'
import { writeTableBytes } from '#platform/spreadsheets/write-table-bytes.ts'
import { makeBuyers, type Buyer } from '#testing/data/make-buyers.ts'
import { makeZip, sheetParts } from '#testing/data/make-zip.ts'
import { tries } from '#testing/is-everything-wanted.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const testApp = await makeTestApp()
const { database } = testApp
const make = makeBuyers(testApp)

const main = await make.division()
const branch = await make.division({ parent: main })
const codeOf = async (division: number): Promise<string> => {
  const { rows } = await sql<{ code: string }>`select erp_code as code from divisions where id = ${division}`.execute(
    database.db,
  )
  return rows[0]?.code ?? ''
}
const [mainCode, branchCode] = await Promise.all([codeOf(main), codeOf(branch)])
const chair = await make.product({ price: 1_250 })
const desk = await make.product({ price: 9_900 })
const dollars = await make.product({ currency: 'USD' })
const gone = await make.product({ isActive: false })

type Item = readonly [product: string, division: number, quantity: number]

const path = '/api/v1/basket/'
const load = (buyer: Buyer, table: string | Buffer, query = '', type = 'text/csv') =>
  buyer.call('POST', `${path}import/${query}`, table, { 'content-type': type })
const file = async (buyer: Buyer, format: string): Promise<Buffer> =>
  (await buyer.call('GET', `${path}export/?format=${format}`)).rawPayload
const itemsIn = (basket: {
  basket_items: { product_remote_id: number | string; divisions: { id: number; quantity: number }[] }[]
}): Item[] =>
  basket.basket_items.flatMap((item) =>
    item.divisions.map(({ id, quantity }) => [`${item.product_remote_id}`, id, quantity] as const),
  )
const itemsOf = async (buyer: Buyer): Promise<Item[]> => itemsIn((await buyer.call('GET', path)).json())
const put = (buyer: Buyer, [product, division, quantity]: Item) =>
  buyer.call('PUT', path, { product_remote_id: product, division, quantity })
const header = 'product_remote_id,division,quantity'

describe('a table fills the basket', () => {
  test('sets quantities, removes with 0, and leaves alone what it does not name', async () => {
    const buyer = await make.buyer(main)
    await put(buyer, [chair, main, 5])
    await put(buyer, [desk, main, 2])
    await put(buyer, [desk, branch, 7])
    const answer = await load(
      buyer,
      `${header}\n${chair},${branchCode},3\n${desk},${main},0\n${chair},${mainCode.toLowerCase()},9\n`,
    )
    const items = [
      [chair, main, 9],
      [chair, branch, 3],
      [desk, branch, 7],
    ]
    expect([answer.statusCode, itemsIn(answer.json())]).toEqual([200, items])
    expect(answer.json()).toEqual((await buyer.call('GET', path)).json())
  })

  test('in the place of what was there, or only to see what it would be', async () => {
    const buyer = await make.buyer(main)
    await put(buyer, [chair, main, 5])
    const table = `${header}\n${desk},${branch},1\n`
    expect(itemsIn((await load(buyer, table, '?dry_run=true')).json())).toEqual([
      [chair, main, 5],
      [desk, branch, 1],
    ])
    expect(await itemsOf(buyer)).toEqual([[chair, main, 5]])
    await load(buyer, table, '?replace=true')
    expect(await itemsOf(buyer)).toEqual([[desk, branch, 1]])
    await load(buyer, `${header}\n`, '?replace=true')
    expect(await itemsOf(buyer)).toEqual([])
  })

  test('by sku where there is no remote id, and not by two that differ', async () => {
    const buyer = await make.buyer(main)
    const lamp = await make.product()
    await sql`update products set sku = '=Lamp' where remote_id = ${lamp}`.execute(database.db)
    const table = `sku,product_remote_id,division,quantity\n=Lamp,,${main},2\n,${desk},${main},3\n=Lamp,${lamp},${branch},4\n`
    expect(itemsIn((await load(buyer, table)).json())).toEqual([
      [lamp, main, 2],
      [lamp, branch, 4],
      [desk, main, 3],
    ])
    const wrong = `sku,product_remote_id,division,quantity\n${lamp},,${main},1\n=Lamp,${desk},${main},1\n,,${main},1\na\u0000,,${main},1\n`
    expect(Object.keys((await load(buyer, wrong)).json())).toEqual([
      'rows.2.sku',
      'rows.3.sku',
      'rows.4.sku',
      'rows.5.sku',
    ])
    const sent = await load(await make.buyer(main), await file(buyer, 'csv'))
    expect(itemsIn(sent.json())).toEqual(await itemsOf(buyer))
  })

  test('for the division of the very code, where two differ in case alone', async () => {
    const head = await make.division()
    const [small, big] = [await make.division({ parent: head }), await make.division({ parent: head })]
    await sql`update divisions set erp_code = case id when ${small} then 'ab-1' else 'AB-1' end
      where id in (${small}, ${big})`.execute(database.db)
    const buyer = await make.buyer(head)
    const table = `${header}\n${chair},AB-1,2\n${chair},ab-1,1\n`
    expect(itemsIn((await load(buyer, table)).json()).toSorted((one, other) => one[2] - other[2])).toEqual([
      [chair, small, 1],
      [chair, big, 2],
    ])
  })

  test('for the only division there is, without naming it', async () => {
    const buyer = await make.buyer(branch)
    expect(itemsIn((await load(buyer, `product_remote_id,quantity\n${chair},4\n`)).json())).toEqual([
      [chair, branch, 4],
    ])
    const other = await make.buyer(main)
    expect((await load(other, `product_remote_id,quantity\n${chair},4\n`)).json()).toEqual({
      'rows.2.division': ['This field is required: there is not one division alone that you order for.'],
    })
  })

  test('once, however often it comes with an Idempotency-Key', async () => {
    const buyer = await make.buyer(main)
    const headers = { 'content-type': 'text/csv', 'idempotency-key': 'table-1' }
    const table = `${header}\n${chair},${main},4\n`
    const first = await buyer.call('POST', `${path}import/`, table, headers)
    await put(buyer, [chair, main, 9])
    expect((await buyer.call('POST', `${path}import/`, table, headers)).json()).toEqual(first.json())
    expect(await itemsOf(buyer)).toEqual([[chair, main, 9]])
    const other = await buyer.call('POST', `${path}import/`, `${table}\n`, headers)
    expect(other.json()).toMatchObject({ code: 'idempotency_key_reused' })
  })

  test('removes what was switched off since', async () => {
    const buyer = await make.buyer(main)
    const old = await make.product()
    const closed = await make.division({ parent: main })
    await put(buyer, [old, main, 1])
    await put(buyer, [chair, closed, 1])
    await sql`update products set is_active = false where remote_id = ${old}`.execute(database.db)
    await sql`update divisions set is_active = false where id = ${closed}`.execute(database.db)
    const kept = await load(buyer, await file(buyer, 'csv'))
    expect(Object.keys(kept.json())).toEqual(['rows.2.product_remote_id', 'rows.3.division'])
    await load(buyer, `${header}\n${old},${main},0\n${chair},${closed},0\n`)
    expect(await itemsOf(buyer)).toEqual([])
  })
})

describe('a table that is not right', () => {
  test('changes nothing, and is told by row and column', async () => {
    const buyer = await make.buyer(main)
    await put(buyer, [chair, main, 5])
    const rows = [
      `${chair},${main},6`,
      `none,${main},1`,
      `${gone},${main},1`,
      `${chair},987654,1`,
      `${chair},${branch},1.5`,
      `${chair},${branch},-1`,
      `${chair},${branch},1000001`,
      `${chair},${main},7`,
      `,nobody,`,
      chair,
      `a\u0000b,${main},1`,
      `${desk},${branchCode},1`,
    ]
    const answer = await load(buyer, `${header}\n${rows.join('\n')}\n`)
    expect([answer.statusCode, Object.keys(answer.json())]).toEqual([
      400,
      [
        'rows.3.product_remote_id',
        'rows.4.product_remote_id',
        'rows.5.division',
        'rows.6.quantity',
        'rows.7.quantity',
        'rows.8.quantity',
        'rows.9',
        'rows.10.product_remote_id',
        'rows.10.division',
        'rows.10.quantity',
        'rows.11',
        'rows.12.product_remote_id',
      ],
    ])
    expect(answer.json()['rows.9']).toEqual(['Row 2 is of this product and division already.'])
    expect(await itemsOf(buyer)).toEqual([[chair, main, 5]])
    const all = await load(buyer, `${header}\n${`none,${main},1\n`.repeat(1_500)}`, '?replace=true')
    expect(Object.keys(all.json())).toHaveLength(1_000)
    expect(await itemsOf(buyer)).toEqual([[chair, main, 5]])
  })

  test('because of its columns, its kind or its sender', async () => {
    const buyer = await make.buyer(main)
    expect((await load(buyer, 'product,colour\n')).json()).toEqual({
      colour: [expect.stringContaining('There is no such column.')],
      product_remote_id: [expect.stringContaining('One of these columns is required')],
      quantity: ['This column is required.'],
    })
    expect((await load(buyer, `${header},price,price\n`)).json()).toEqual({ price: ['This column is there twice.'] })
    expect((await load(buyer, header, '?dryrun=true')).statusCode).toBe(400)
    for (const type of ['application/json', 'text/csv; charset=windows-1254', contentTypeOf.xls, 'multipart/form-data'])
      expect([type, (await load(buyer, header, '', type)).statusCode]).toEqual([type, 415])
    expect((await load(buyer, Buffer.alloc(1_100_000, 'a'))).statusCode).toBe(413)
    expect((await load(buyer, `${header}\n${'\n1,1,1'.repeat(20_001)}`)).statusCode).toBe(413)
    expect((await load(await make.buyer(null), header)).statusCode).toBe(403)
    expect((await buyer.call('GET', `${path}export/?format=ods`)).statusCode).toBe(400)
  })

  test('because the basket would be of two currencies, or too full', async () => {
    const buyer = await make.buyer(main)
    const two = await load(buyer, `${header}\n${chair},${main},1\n${dollars},${main},1\n`)
    expect(two.json()).toMatchObject({
      code: 'mixed_currencies',
      non_field_errors: ['Row 3: The basket holds products in EUR, and this one is sold in USD.'],
    })
    await put(buyer, [chair, main, 1])
    expect((await load(buyer, `${header}\n${dollars},${main},1\n`)).json()).toMatchObject({ code: 'mixed_currencies' })
    expect((await load(buyer, `${header}\n${dollars},${main},1\n${chair},${main},0\n`)).statusCode).toBe(200)

    const full = await make.buyer(main)
    await put(full, [chair, branch, 1])
    await put(full, [chair, main, 1])
    await sql`
      insert into products (remote_id, sku, name, price, currency, is_active, created_at, modified_at)
      select 'full-' || n, 'full-' || n, 'Full', 1, 'EUR', true, now(), now() from generate_series(1, 19999) n`.execute(
      database.db,
    )
    const lines = Array.from({ length: 19_999 }, (_, n) => `full-${n + 1},${main},1`)
    const tooFull = await load(full, `${header}\n${lines.join('\n')}`)
    expect(tooFull.json()).toMatchObject({
      code: 'basket_full',
      non_field_errors: [expect.stringMatching(/^Row 20000: A basket holds 20,000 products/)],
    })
    expect(await itemsOf(full)).toHaveLength(2)
    const exchanged = [...lines, `${chair},${main},0`].join('\n')
    expect((await load(full, `${header}\n${exchanged}`)).statusCode).toBe(200)
    expect(await itemsOf(full)).toHaveLength(20_000)

    const empty = await make.buyer(main)
    const sheet = await load(empty, await file(full, 'xlsx'), '', contentTypeOf.xlsx)
    expect(sheet.statusCode).toBe(200)
    // Compared as texts: that takes a fraction of the time.
    expect(JSON.stringify(await itemsOf(empty)) === JSON.stringify(await itemsOf(full))).toBe(true)
  })
})

describe('what is exported', () => {
  const odd = [
    '=1+1',
    "'=1",
    '+a',
    '@b',
    'a;=1',
    'line\nend',
    'cr\r\nlf',
    '"quoted"',
    'a,b',
    "it's",
    '_x000D_',
    '007',
    '1e5',
    ' a ',
  ]
  const texts = fc.oneof(
    fc.constantFrom(...odd),
    fc.string({
      unit: fc.constantFrom('=', '-', "'", '"', ';', '\t', '\r', '\n', ',', 'ş', '_', 'x'),
      minLength: 1,
      maxLength: 20,
    }),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter((text) => !text.includes('\0')),
  )
  const world = fc.record({
    products: fc.uniqueArray(fc.tuple(texts, texts), { selector: ([id]) => id, minLength: 1, maxLength: 12 }),
    divisionName: texts,
    quantities: fc.array(fc.tuple(fc.nat(11), fc.boolean(), fc.integer({ min: 1, max: 1_000_000 })), {
      minLength: 1,
      maxLength: 20,
    }),
  })

  test('is imported as it was, whatever products and divisions are called', async () => {
    const buyer = await make.buyer(main)
    const other = await make.buyer(main)
    await fc.assert(
      fc.asyncProperty(
        world,
        fc.constantFrom('csv', 'xlsx'),
        async ({ products, divisionName, quantities }, format) => {
          await sql`delete from basket_items`.execute(database.db)
          await sql`delete from products where name like 'odd %'`.execute(database.db)
          for (const [id, name] of products)
            await sql`insert into products (remote_id, sku, name, price, currency, is_active, created_at, modified_at)
            values (${id}, ${`${id}~`}, ${`odd ${name}`}, 1250, 'EUR', true, now(), now()) on conflict do nothing`.execute(
              database.db,
            )
          await sql`update divisions set name = ${divisionName} where id = ${branch}`.execute(database.db)
          for (const [index, isBranch, quantity] of quantities) {
            const [id = ''] = products[index % products.length] ?? []
            await put(buyer, [id, isBranch ? branch : main, quantity])
          }
          const type = contentTypeOf[format]
          const answer = await load(other, await file(buyer, format), '?replace=true', type)
          expect([answer.statusCode, answer.body]).toEqual([200, expect.any(String)])
          expect(await itemsOf(other)).toEqual(await itemsOf(buyer))
        },
      ),
      tries(5, 300),
    )
  })

  test('is a file of the format asked for, with names, prices and amounts', async () => {
    const buyer = await make.buyer(main)
    await put(buyer, [chair, branch, 3])
    await sql`update divisions set name = '=Branch' where id = ${branch}`.execute(database.db)
    const answer = await buyer.call('GET', `${path}export/?format=csv`)
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': expect.stringMatching(/^attachment; filename="basket-\d{4}-\d\d-\d\d\.csv"$/),
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    })
    expect(parse(answer.rawPayload, { bom: true, columns: true })).toEqual([
      {
        product_remote_id: chair,
        sku: chair,
        product: expect.any(String),
        division: String(branch),
        division_erp_code: expect.stringMatching(/^ERP-/),
        division_name: "'=Branch",
        quantity: '3',
        price: '12.50',
        currency: 'EUR',
        total_amount: '37.50',
      },
    ])
    const other = await buyer.call('GET', `${path}export/`)
    expect(other.headers['content-type']).toBe('application/vnd.ms-excel')
    expect(other.rawPayload.subarray(0, 4)).toEqual(Buffer.from('d0cf11e0', 'hex'))
  })

  test('says which division it is, where the id of one is the code of another', async () => {
    const top = await make.division()
    const one = await make.division({ parent: top })
    const two = await make.division({ parent: top })
    await sql`update divisions set erp_code = ${String(two)} where id = ${one}`.execute(database.db)
    const buyer = await make.buyer(top)
    await put(buyer, [chair, one, 1])
    await put(buyer, [chair, two, 2])
    const items = await itemsOf(buyer)
    expect((await load(buyer, `${header}\n${chair},${two},5\n`)).json()).toEqual({
      'rows.2.division': [expect.stringContaining('Say which in a column division_erp_code.')],
    })
    const other = await make.buyer(top)
    await load(other, await file(buyer, 'csv'))
    expect(await itemsOf(other)).toEqual(items)
  })
})

describe('a sheet', () => {
  test('is read as csv would be: numbers, formulas that came to something, rows of nothing', async () => {
    const buyer = await make.buyer(main)
    const cells = (row: number, ...values: readonly string[]) =>
      `<row r="${row}">${values.map((value, at) => `<c r="${'ABC'[at] ?? ''}${row}" ${value}</c>`).join('')}</row>`
    const text = (value: string) => `t="inlineStr"><is><t>${value}</t></is>`
    const rows = [
      cells(1, text('quantity'), text('Product_Remote_ID'), text('division')),
      cells(3, '><f>1+1</f><v>2</v>', text(chair), `><v>${branch}</v>`),
      cells(9, '><v>1.5</v>', text(chair), text(mainCode)),
    ]
    const load_ = (some: readonly string[]) =>
      load(buyer, makeZip(sheetParts({ rows: some.join('') })), '', contentTypeOf.xlsx)
    expect((await load_(rows)).json()).toEqual({ 'rows.9.quantity': [expect.any(String)] })
    expect(itemsIn((await load_(rows.slice(0, 2))).json())).toEqual([[chair, branch, 2]])
  })

  test('that is made to do harm is refused, and others are answered meanwhile', async () => {
    const buyer = await make.buyer(main)
    const other = await make.buyer(main)
    const bomb = makeZip(sheetParts({ texts: '<si/>'.repeat(6_000_000) }))
    const files = [
      bomb,
      bomb.subarray(0, 500),
      makeZip(sheetParts({ rows: '<row><c r="BDWGN1"/></row>' })),
      Buffer.alloc(0),
    ]
    const refused = files.map((bytes) => load(buyer, bytes, '', contentTypeOf.xlsx))
    expect((await put(other, [chair, main, 1])).statusCode).toBe(200)
    const answers = await Promise.all(refused)
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([413, 400, 400, 400])
    expect(answers[1]?.json()).toMatchObject({ code: 'xlsx_unreadable' })
    const text = await writeTableBytes({
      format: 'xlsx',
      columns: [{ name: 'quantity', type: 'text' }],
      rows: [['a\u0000']],
    })
    expect((await load(buyer, text, '', contentTypeOf.xlsx)).statusCode).toBe(400)
  })
})
