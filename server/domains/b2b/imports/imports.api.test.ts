import { describe, expect, test } from 'vitest'
import { countStatements } from '#testing/count-statements.ts'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { makePeople } from '#testing/make-people.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

type Row = Readonly<Record<string, unknown>>
interface Result {
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly failed: number
  readonly errors: readonly { row: number; column: string | null; message: string }[]
}

const clock = makeFakeClock()
const test_ = await makeTestApp({ clock })
const { app, superuser, call } = test_
const { person, authorization } = makePeople(test_)
const send = (
  kind: 'products' | 'divisions',
  payload: string | Buffer,
  headers: Record<string, string> = {},
  query = '',
) =>
  app.inject({
    method: 'POST',
    url: `/api/v1/${kind}/import/${query}`,
    payload,
    headers: { authorization: superuser.authorization, 'content-type': 'text/csv', ...headers },
  })
const load = async (kind: 'products' | 'divisions', text: string, query = ''): Promise<Result> => {
  const answer = await send(kind, text, {}, query)
  expect([answer.statusCode, answer.body]).toEqual([200, expect.any(String)])
  return answer.json()
}
const counts = ({ created, updated, unchanged, failed }: Result) => [created, updated, unchanged, failed]
const told = ({ errors }: Result) => errors.map(({ row, column }) => [row, column])
const all = async (kind: 'products' | 'divisions', query = ''): Promise<Row[]> =>
  (await call('GET', `/api/v1/${kind}/?limit=1000&${query}`)).json<{ results: Row[] }>().results
const only = (rows: readonly Row[], ...fields: string[]) => rows.map((row) => fields.map((field) => row[field]))

describe('a table of products', () => {
  const header = 'remote_id,name,price,currency'

  test('creates, changes and leaves alone, by remote id', async () => {
    const first = await load('products', `\uFEFF${header}\r\nA,"Chair, oak",49.90,EUR\r\nB,Desk,120,JPY\r\n`)
    expect([counts(first), told(first)]).toEqual([[2, 0, 0, 0], []])
    const before = await all('products')
    expect(only(before, 'remote_id', 'name', 'price', 'is_active')).toEqual([
      ['A', 'Chair, oak', '49.90', true],
      ['B', 'Desk', '120', true],
    ])
    clock.advance(1000)
    expect(
      counts(await load('products', `${header}\nA,"Chair, oak",49.9,EUR\nB,Desk,125,JPY\nC,Lamp,9.99,EUR`)),
    ).toEqual([1, 1, 1, 0])
    const after = await all('products')
    expect(after[0]).toEqual(before[0])
    expect(after[1]).toMatchObject({ price: '125', modified_date: clock.now().toISOString() })
    expect(after[1]?.['created_date']).toBe(before[1]?.['created_date'])
  })

  test('sets what has a column, and leaves alone what has none', async () => {
    const looks = async () =>
      only(await all('products', 'q=looked'), 'remote_id', 'sku', 'base_code', 'category', 'image', 'attributes')
    const full = `${header},sku,base_code,category,image,attributes`
    const oak = 'L1,looked,1,EUR,OAK,CHAIRS,Seats,https://shop.example/oak.jpg,"{""wood"": ""oak""}"'
    expect(counts(await load('products', `${full}\n${oak}\nL2,looked,1,EUR,,,,,`))).toEqual([2, 0, 0, 0])
    const first = [
      ['L1', 'OAK', 'CHAIRS', 'Seats', 'https://shop.example/oak.jpg', { wood: 'oak' }],
      ['L2', 'L2', '', '', '', {}],
    ]
    expect(await looks()).toEqual(first)
    expect(counts(await load('products', `${header}\nL1,looked,2,EUR\nL2,looked,1,EUR`))).toEqual([0, 1, 1, 0])
    expect(await looks()).toEqual(first)
    expect(counts(await load('products', `${header},category,sku\nL1,looked,2,EUR,,`))).toEqual([0, 1, 0, 0])
    expect((await looks())[0]).toEqual(['L1', 'L1', 'CHAIRS', '', 'https://shop.example/oak.jpg', { wood: 'oak' }])

    const wrong = await load(
      'products',
      `${full}\nL3,wrong,1,EUR,,,,,[1]\nL4,wrong,1,EUR,,,,,{\nL5,wrong,1,EUR,,,,ftp://a/b,\nL6,wrong,1,EUR,,,,,"{""a"": ""${'x'.repeat(16_384)}""}"`,
    )
    expect([counts(wrong), told(wrong)]).toEqual([
      [0, 0, 0, 4],
      [
        [2, 'attributes'],
        [3, 'attributes'],
        [4, 'image'],
        [5, 'attributes'],
      ],
    ])
  })

  test('refuses the sku of another product, and writes the others', async () => {
    await load('products', `${header},sku\nK1,sku,1,EUR,K-ONE\nK2,sku,1,EUR,K-TWO`)
    const result = await load(
      'products',
      `${header},sku\nK1,sku,1,EUR,K-TWO\nK3,sku,1,EUR,K-ONE\nK4,sku,1,EUR,K-NEW\nK5,sku,1,EUR,K-NEW\nK-TWO,sku,1,EUR,\nK2,sku,5,EUR,K-TWO`,
    )
    expect([counts(result), told(result)]).toEqual([
      [1, 1, 0, 4],
      [
        [2, 'sku'],
        [3, 'sku'],
        [5, 'sku'],
        [6, 'sku'],
      ],
    ])
    expect(result.errors.map(({ message }) => message)).toEqual([
      'Another product has this sku.',
      'Another product has this sku.',
      'Row 4 has this already.',
      'Another product has this sku.',
    ])
  })

  test('switches on and off where it has the column, and leaves that alone where it has not', async () => {
    const active = async () => only(await all('products', 'name=switched'), 'remote_id', 'is_active')
    expect(
      counts(await load('products', `${header},is_active\nS1,switched,1,EUR,false\nS2,switched,1,EUR,TRUE`)),
    ).toEqual([2, 0, 0, 0])
    expect(await active()).toEqual([
      ['S1', false],
      ['S2', true],
    ])
    expect(counts(await load('products', `${header}\nS1,switched,2,EUR\nS2,switched,1,EUR`, '?dry_run=true'))).toEqual([
      0, 1, 1, 0,
    ])
    expect(counts(await load('products', `${header}\nS1,switched,2,EUR\nS2,switched,1,EUR`))).toEqual([0, 1, 1, 0])
    expect(await active()).toEqual([
      ['S1', false],
      ['S2', true],
    ])
    expect(counts(await load('products', `${header},is_active\nS1,switched,2,EUR,1\nS2,switched,1,EUR,0`))).toEqual([
      0, 2, 0, 0,
    ])
    expect(await active()).toEqual([
      ['S1', true],
      ['S2', false],
    ])
  })

  test('tells what is wrong by row and column, and writes the rest', async () => {
    const rows = [
      'G1,Good,1.00,EUR,true',
      ',x,1,EUR,true',
      'W1,,1,EUR,true',
      'W2,x,1.234,EUR,true',
      'W3,x,1,XQZ,true',
      'W4,x,1,EUR,maybe',
      'W5,x',
      'G1,Again,1,EUR,true',
      'W6,x,,eur,true',
      'W7,a\u0000,1,EUR,true',
      'G2,Good,0,EUR,true',
    ]
    const table = `${header},is_active\n${rows.join('\n')}\n`
    const tried = await load('products', table, '?dry_run=true')
    expect(await all('products', 'name=Good')).toEqual([])
    const result = await load('products', table)
    expect(counts(result)).toEqual([2, 0, 0, 9])
    expect(told(result)).toEqual([
      [3, 'remote_id'],
      [4, 'name'],
      [5, 'price'],
      [6, 'currency'],
      [7, 'is_active'],
      [8, null],
      [9, 'remote_id'],
      [10, 'currency'],
      [11, 'name'],
    ])
    expect(result.errors.find(({ row }) => row === 9)?.message).toBe('Row 2 has this already.')
    expect(tried).toEqual({ ...result, dry_run: true })
    expect(only(await all('products', 'name=Good'), 'remote_id')).toEqual([['G1'], ['G2']])
  })

  test('loaded by two at once is there once', async () => {
    const codes = Array.from({ length: 200 }, (_, n) => `R-${n}`)
    const table = (list: readonly string[], price: number) =>
      `${header}\n${list.map((code) => `${code},race,${price},EUR`).join('\n')}`
    const results = await Promise.all([
      load('products', table(codes, 1)),
      load('products', table(codes.toReversed(), 2)),
    ])
    expect(results.map(counts).toSorted(([one = 0], [other = 0]) => one - other)).toEqual([
      [0, 200, 0, 0],
      [200, 0, 0, 0],
    ])
    const prices = new Set((await all('products', 'name=race')).map(({ price }) => price))
    expect([prices.size, (await all('products', 'name=race')).length]).toEqual([1, 200])
  })
})

describe('a table of divisions', () => {
  test('has parents before, after and outside of it', async () => {
    expect(counts(await load('divisions', 'erp_code,name,parent_erp_code\nC,Leaf,B\nB,Branch,A\nA,Main,\n'))).toEqual([
      3, 0, 0, 0,
    ])
    const [main, branch, leaf] = (await all('divisions', 'ordering=erp_code')) as [Row, Row, Row]
    expect(only([main, branch, leaf], 'erp_code', 'parent', 'root')).toEqual([
      ['A', null, main['id']],
      ['B', main['id'], main['id']],
      ['C', branch['id'], main['id']],
    ])
    const made = await load(
      'divisions',
      'name,erp_code,parent_erp_code,monthly_order_limit,is_active,phone_number\nFar,F,C,10.5,0,+49\n',
    )
    expect(counts(made)).toEqual([1, 0, 0, 0])
    expect((await all('divisions', 'erp_code=F'))[0]).toMatchObject({
      parent: leaf['id'],
      root: main['id'],
      monthly_order_limit: '10.50',
      is_active: false,
      phone_number: '+49',
    })
  })

  test('moves divisions with what hangs from them, also what it does not name', async () => {
    await load('divisions', 'erp_code,name,parent_erp_code\nM1,M,\nM2,M,\nM1a,M,M1\nM1b,M,M1a')
    clock.advance(1000)
    const table = 'erp_code,name,parent_erp_code\nM1a,M,M2\nM2,M,'
    expect(counts(await load('divisions', table, '?dry_run=true'))).toEqual([0, 1, 1, 0])
    const rootsOf = async () => {
      const rows = await all('divisions', 'name=M&ordering=erp_code')
      const codeOf = new Map(rows.map((row) => [row['id'], row['erp_code']]))
      return rows.filter(({ name }) => name === 'M').map((row) => [row['erp_code'], codeOf.get(row['root'])])
    }
    expect(await rootsOf()).toEqual([
      ['M1', 'M1'],
      ['M1a', 'M1'],
      ['M1b', 'M1'],
      ['M2', 'M2'],
    ])
    expect(counts(await load('divisions', table))).toEqual([0, 1, 1, 0])
    expect(await rootsOf()).toEqual([
      ['M1', 'M1'],
      ['M1a', 'M2'],
      ['M1b', 'M2'],
      ['M2', 'M2'],
    ])
    expect(counts(await load('divisions', table))).toEqual([0, 0, 2, 0])
    expect(counts(await load('divisions', 'erp_code,name\nM1a,Renamed'))).toEqual([0, 1, 0, 0])
    expect((await all('divisions', 'erp_code=M1a'))[0]).toMatchObject({ name: 'Renamed', parent: expect.any(Number) })
  })

  test('tells what is wrong by row and column, and writes the rest', async () => {
    const result = await load(
      'divisions',
      'erp_code,name,parent_erp_code,monthly_order_limit\nX1,x,NOWHERE,\nX2,x,X1,\nX3,x,X4,\nX4,x,X3,\nX5,x,,1.234\n,x,,\nX6,x,X7,\nX7,x,,5\nX7,x,,6\n',
    )
    expect(counts(result)).toEqual([2, 0, 0, 7])
    expect(told(result)).toEqual([
      [2, 'parent_erp_code'],
      [3, 'parent_erp_code'],
      [4, 'parent_erp_code'],
      [5, 'parent_erp_code'],
      [6, 'monthly_order_limit'],
      [7, 'erp_code'],
      [10, 'erp_code'],
    ])
    expect(only(await all('divisions', 'name=x'), 'erp_code')).toEqual(expect.arrayContaining([['X6'], ['X7']]))
  })

  test('means a division by its code in any case, once in a table', async () => {
    await load('divisions', 'erp_code,name\nCase-1,Cased')
    const result = await load(
      'divisions',
      'erp_code,name,parent_erp_code\nCASE-1,Cased again,\nCase-2,Cased,case-1\ncase-2,x,',
    )
    expect([counts(result), told(result)]).toEqual([[1, 1, 0, 1], [[4, 'erp_code']]])
    const [first, second] = await all('divisions', 'name=Cased&ordering=erp_code')
    expect(first).toMatchObject({ erp_code: 'Case-1', name: 'Cased again' })
    expect(second).toMatchObject({ erp_code: 'Case-2', parent: first?.['id'] })
  })

  test('an import and moves of single divisions at once make no circle', async () => {
    const pairs = Array.from({ length: 6 }, (_, n) => [`K${n}a`, `K${n}b`] as const)
    await load(
      'divisions',
      `erp_code,name,parent_erp_code\n${pairs
        .flat()
        .map((code) => `${code},K,`)
        .join('\n')}`,
    )
    const idOf = new Map((await all('divisions', 'name=K')).map((row) => [row['erp_code'], row['id']]))
    await Promise.all([
      load('divisions', `erp_code,name,parent_erp_code\n${pairs.map(([a, b]) => `${a},K,${b}`).join('\n')}`),
      ...pairs.map(([a, b]) => call('PATCH', `/api/v1/divisions/${String(idOf.get(b))}/`, { parent: idOf.get(a) })),
    ])
    const rows = new Map((await all('divisions', 'name=K')).map((row) => [row['erp_code'], row]))
    for (const [a, b] of pairs) {
      const both = [rows.get(a), rows.get(b)]
      expect(both.filter((row) => row?.['parent'] === null)).toHaveLength(1)
      expect(both[0]?.['root']).toBe(both[1]?.['root'])
    }
  })
})

describe('an import', () => {
  const table = 'remote_id,name,price,currency\nI1,Once,1,EUR\n'

  test('is done once with an Idempotency-Key, also when that was used for a dry run', async () => {
    const headers = { 'idempotency-key': 'import-once' }
    const dry = await send('products', table, headers, '?dry_run=true')
    const [first, second] = [await send('products', table, headers), await send('products', table, headers)]
    expect([dry, first, second].map((answer) => counts(answer.json()))).toEqual([
      [1, 0, 0, 0],
      [1, 0, 0, 0],
      [1, 0, 0, 0],
    ])
    expect(second.headers['idempotency-replayed']).toBe('true')
    expect((await send('products', `${table}I2,x,1,EUR`, headers)).statusCode).toBe(409)
  })

  test.each(['application/json', 'text/csv', 'text/plain'])('with another method is 405 as %s', async (type) => {
    const headers = { authorization: superuser.authorization, 'content-type': type }
    for (const kind of ['products', 'divisions']) {
      const answer = await app.inject({ method: 'PATCH', url: `/api/v1/${kind}/import/`, payload: 'no JSON', headers })
      expect([answer.statusCode, answer.headers['allow']]).toEqual([405, 'POST'])
    }
  })

  test.each([
    ['application/json', 415],
    ['text/plain', 415],
    ['text/csv; charset=windows-1254', 415],
    ['text/csv; charset=UTF-8; header=present', 200],
    ['Text/CSV;charset="utf-8"', 200],
  ])('of %s is answered with %i', async (type, status) => {
    const answer = await send('products', table, { 'content-type': type }, '?dry_run=true')
    expect(answer.statusCode).toBe(status)
  })

  test('of what is no table, or too large, is refused', async () => {
    const unreadable = await send('products', 'remote_id,name,price,currency\nA,"x')
    expect([unreadable.statusCode, unreadable.json()]).toMatchObject([400, { code: 'csv_unreadable' }])
    const columns = await send('products', 'remote_id,name,colour\n')
    expect([columns.statusCode, Object.keys(columns.json<object>()).toSorted()]).toEqual([
      400,
      ['colour', 'currency', 'price'],
    ])
    expect((await send('products', '')).statusCode).toBe(400)
    expect((await send('products', Buffer.alloc(1_048_577, 'a'))).statusCode).toBe(413)
    expect((await send('divisions', table)).statusCode).toBe(400)
    expect((await send('products', table, {}, '?dry_run=maybe')).statusCode).toBe(400)
  })

  test('is for staff', async () => {
    const buyer = await authorization(await person())
    for (const kind of ['products', 'divisions'] as const) {
      expect((await send(kind, table, buyer)).statusCode).toBe(403)
      expect((await send(kind, table, { authorization: '' })).statusCode).toBe(401)
    }
  })

  test('of thousands of rows is written with some statements', async () => {
    const size = 3_000
    const rows = Array.from({ length: size }, (_, n) => n)
    const products = `remote_id,name,price,currency\n${rows.map((n) => `B-${n},Bulk,${n}.5,EUR`).join('\n')}`
    const divisions = `erp_code,name,parent_erp_code\n${rows.map((n) => `B-${n},Bulk,${n === 0 ? '' : `B-${Math.floor(n / 10)}`}`).join('\n')}`
    const statements = await countStatements(async () => {
      expect(counts(await load('products', products))).toEqual([size, 0, 0, 0])
      expect(counts(await load('products', products))).toEqual([0, 0, size, 0])
      expect(counts(await load('divisions', divisions))).toEqual([size, 0, 0, 0])
    })
    expect(statements).toBeLessThan(100)
  })
})
