import { describe, expect, test } from 'vitest'
import { countStatements } from '#testing/count-statements.ts'
import { makeLists, type ListSample, type Row } from '#testing/data/make-lists.ts'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

// Every list of the product, found in the API description, by the rules of the contract, section 1 ("Lists").

const clock = makeFakeClock()
const app = await makeTestApp({ clock })
const samples = await makeLists(app, clock)

interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly enum?: readonly string[]
  readonly items?: Schema
  readonly default?: unknown
  readonly maximum?: number
  readonly properties?: Readonly<Record<string, Schema>>
}
interface Parameter {
  readonly $ref?: string
  readonly in: string
  readonly name: string
  readonly description?: string
  readonly schema: Schema
}
interface Operation {
  readonly operationId: string
  readonly parameters?: readonly Parameter[]
  readonly responses: Readonly<
    Record<string, { readonly $ref?: string; readonly content?: Record<string, { readonly schema?: Schema }> }>
  >
}

const api = (await app.call('GET', '/openapi.json')).json<{ paths: Record<string, { get?: Operation }> }>()
const resolved = <T extends { readonly $ref?: string }>(value: T): T => {
  if (value.$ref === undefined) return value
  const path = value.$ref.split('/').slice(1)
  return resolved(path.reduce((part, name) => (part as Record<string, object>)[name] ?? {}, api as object) as T)
}

/** Arrays that are no lists: they are short, and have no pages. */
const noLists = new Set(['listHookEventNames', 'explainHook', 'getQuotationLastPrices'])

const isList = ({ operationId, responses }: Operation): boolean => {
  const answer = resolved(responses['200'] ?? {}).content?.['application/json']?.schema
  const schema = answer && resolved(answer)
  return !noLists.has(operationId) && (schema?.type === 'array' || schema?.properties?.['results'] !== undefined)
}

/** Lists that are another one, narrowed by their path. */
const narrowed = new Set(['listCityErrorReports', 'listTownshipErrorReports', 'listProductErrorReports'])

/** Lists of what happened or of what other lists have; they have rows, and each filter is tried, where that is tested. */
const testedElsewhere = new Set([
  'listAudit',
  'listEvents',
  'listHookHealthChanges',
  'listProjectWebhookHealthChanges',
  'listStockMovements',
  'listSubscriptions',
  'listViews',
  'search',
])

const lists = Object.values(api.paths).flatMap(({ get }) => (get !== undefined && isList(get) ? [get] : []))
const tested = lists.flatMap((operation) => {
  const sample = samples[operation.operationId]
  const parameters = (operation.parameters ?? []).map(resolved).filter((parameter) => parameter.in === 'query')
  return sample === undefined ? [] : [{ name: operation.operationId, sample, parameters }]
})

test('every list of the API has rows here', () => {
  const missing = lists
    .map(({ operationId }) => operationId)
    .filter((name) => !(name in samples) && !narrowed.has(name) && !testedElsewhere.has(name))
  expect(missing).toEqual([])
  expect(tested.length).toBeGreaterThan(35)
})

interface Answer {
  readonly status: number
  readonly text: string
  readonly rows: readonly Row[]
  readonly count: number
  readonly links: Readonly<Record<string, string>>
}
const readerOf =
  ({ path, call = app.call }: ListSample) =>
  async (query = ''): Promise<Answer> => {
    const answer = await call('GET', query.startsWith('/') ? query : `${path}?${query}`)
    const body = answer.json()
    const header = String(answer.headers['link'] ?? '')
    const entries = [...header.matchAll(/<https?:\/\/[^/]+([^>]*)>; rel="(\w+)"/g)].map(([, url = '', rel = '']) => [
      rel,
      url,
    ])
    const own = (url: string | null) => (url === null ? [] : [new URL(url).pathname + new URL(url).search])
    const links = Array.isArray(body)
      ? entries
      : [
          ...own(body.next ?? null).map((url) => ['next', url]),
          ...own(body.previous ?? null).map((url) => ['prev', url]),
        ]
    return {
      status: answer.statusCode,
      text: answer.body,
      rows: Array.isArray(body) ? body : (body.results ?? []),
      count: Number(answer.headers['x-total-count'] ?? body.count),
      links: Object.fromEntries(links),
    }
  }

/** Times that no filter is about: this one is computed, of the last attempt, or of the event before the first. */
const unfiltered: Readonly<Record<string, readonly string[]>> = { listHookEvents: ['modified_date'] }

const comparisons: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  gt: (a, b) => a > b,
  gte: (a, b) => a >= b,
  lt: (a, b) => a < b,
  lte: (a, b) => a <= b,
}
const paging = new Set(['page', 'limit', 'cursor', 'ordering'])
const splitName = (name: string): readonly [string, string | undefined] => {
  const [, base = name, comparison] = /^(.*)__(gte?|lte?)$/.exec(name) ?? []
  return [base, comparison]
}
const numberOf = (value: unknown): number => (/^\d{4}-/.test(String(value)) ? Date.parse(String(value)) : Number(value))
const typeOf = (schema: Schema): Schema => (schema.type === 'array' ? (schema.items ?? schema) : schema)

const isText = ({ schema }: Parameter): boolean => typeOf(schema).type === 'string' && typeOf(schema).enum === undefined

describe.each(tested)('$name', ({ name: list, sample, parameters }) => {
  const read = readerOf(sample)
  const known = new Map(parameters.map((parameter) => [parameter.name, parameter]))
  const filters = parameters.filter(({ name }) => !paging.has(name))
  const isCompared = (name: string) => known.has(`${splitName(name)[0]}__gte`)
  const all = async () => {
    const answer = await read('limit=1000')
    expect(answer.status).toBe(200)
    return answer.rows
  }

  test('has rows, their count, and pages that are within bounds', async () => {
    const { rows, count, text: whole } = await read('limit=1000')
    expect(rows.length).toBeGreaterThan(1)
    expect(count).toBe(rows.length)
    // What the statement says beside each row is no part of it.
    expect(whole).not.toMatch(/"list_?(?:count|position|value|key)"/i)
    for (const query of ['page=0', 'page=x', 'page=-1', 'limit=0', 'limit=1001', 'limit=x', 'limit=', 'limit=1.5']) {
      const { status, text } = await read(query)
      expect([query, status, text.includes(query.replace(/=.*/, ''))]).toEqual([query, 400, true])
    }
  })

  test('is the same read page by page along its links, which keep what was asked for', async () => {
    const expected = await all()
    const found: Row[] = []
    let next: string | undefined = `format=json&limit=1`
    while (next !== undefined && found.length <= expected.length) {
      const answer = await read(next)
      expect(answer.count).toBe(expected.length)
      found.push(...answer.rows)
      next = answer.links['next']
      expect(next ?? 'format=json').toContain('format=json')
    }
    expect(found).toEqual(expected)
    const second = await read('limit=1&page=2')
    expect([second.rows, second.links['prev']]).toEqual([expected.slice(1, 2), expect.stringContaining('page=1')])
    const beyond = await read('page=1000')
    expect([beyond.status, beyond.rows, beyond.count, beyond.links['next']]).toEqual([
      200,
      [],
      expected.length,
      undefined,
    ])
  })

  const [, before, id = '', after] = /^(.*\/)(\d+|[0-9a-f]{24})(\/.*)$/.exec(sample.path) ?? []
  test.runIf(id !== '')('of something that does not exist is 404', async () => {
    const other = id.length === 24 ? 'f'.repeat(24) : '999999'
    expect((await read(`${before}${other}${after}`)).status).toBe(404)
  })

  test('refuses a parameter that it does not know, and names the nearest', async () => {
    const misspelt = ['limit', ...filters.map(({ name }) => name)].map((name) => `${name}x`)
    for (const name of misspelt.filter((other) => !known.has(other))) {
      const { status, text } = await read(`${name}=1`)
      expect([name, status, text.includes(name), /Did you mean/.test(text)]).toEqual([name, 400, true, true])
    }
  })

  test('takes as many statements for a page of many rows as for one', async () => {
    await all()
    const few = await countStatements(() => read('limit=1'))
    expect(await countStatements(() => read('limit=1000'))).toBeLessThanOrEqual(few)
  })

  const orderings = known.get('ordering')?.schema.enum ?? []
  test.runIf(orderings.length > 0)('has a total order by each field, both ways, and by default', async () => {
    const usual = known.get('ordering')?.schema.default
    expect(usual).toBeTypeOf('string')
    expect(await all()).toEqual((await read(`limit=1000&ordering=${String(usual)}`)).rows)
    for (const field of orderings.filter((ordering) => !ordering.startsWith('-'))) {
      const { rows } = await read(`limit=1000&ordering=${field}`)
      expect([field, (await read(`limit=1000&ordering=-${field}`)).rows]).toEqual([field, rows.toReversed()])
      const values = rows.map((row) => row[field]).filter((value) => value !== null && typeof value !== 'object')
      const numbers = values.every((value) => /^-?[\d.]+$/.test(String(value)))
      const sorted = values.toSorted((a, b) => (numbers ? Number(a) - Number(b) : Number(a > b) - Number(a < b)))
      expect([field, values]).toEqual([field, sorted])
    }
    expect((await read('ordering=x')).status).toBe(400)
  })

  test('is filtered by when a record was made and changed, and each time and quantity that it can be ordered by', async () => {
    const [row = {}] = await all()
    const isMeasured = (name: string) =>
      /^\d{4}-\d\d-\d\dT/.test(String(row[name])) || (typeof row[name] === 'number' && !/(id|^hook_event)$/i.test(name))
    const ordered = (known.get('ordering')?.schema.enum ?? []).filter((name) => isMeasured(name))
    const times = Object.keys(row).filter((field) => /^(created|modified|updated|saved)(_at|_date|At)$/.test(field))
    const missing = [...ordered, ...times].filter((field) => !isCompared(field))
    expect(missing).toEqual(unfiltered[list] ?? [])
  })

  test('compares every time, amount and quantity five ways', () => {
    const compared = new Set(
      filters.filter(({ name }) => splitName(name)[1] !== undefined).map(({ name }) => splitName(name)[0]),
    )
    const missing = [...compared]
      .flatMap((name) => ['', '__gt', '__gte', '__lt', '__lte'].map((end) => `${name}${end}`))
      .filter((name) => !known.has(name))
    expect(missing).toEqual([])
  })

  test.each(filters)('by $name refuses what is no value of it', async (parameter) => {
    const { name } = parameter
    const expected = isText(parameter) && !isCompared(name) ? [] : [400, true]
    const { status, text } = await read(`${name}=x`)
    expect(expected.length === 0 ? [] : [status, text.includes(name)]).toEqual(expected)
    if (typeOf(parameter.schema).type !== 'integer') return
    for (const far of ['9'.repeat(30), `-${'9'.repeat(30)}`])
      expect([far, (await read(`${name}=${far}`)).status]).toEqual([far, 400])
  })

  test.each(filters)('by $name leaves the rows that are so, in their order', async (parameter) => {
    const { name } = parameter
    const rows = await all()
    const leave = async (query: string) => {
      const { status, rows: found, count } = await read(`limit=1000&${query}`)
      expect([query, status, count]).toEqual([query, 200, found.length])
      return found
    }
    for (const [wanted, fits] of expectationsOf(parameter, sample, rows)) {
      const query = queryOf(name, wanted)
      const found = await leave(query)
      expect([query, found]).toEqual([query, fits === undefined ? found : rows.filter(fits)])
    }
  })

  test('by all filters at once leaves the rows that fit each', async () => {
    const rows = await all()
    const [query, fits] = filters
      .flatMap((parameter) => {
        const [wanted, fitsOne] = expectationsOf(parameter, sample, rows)[0] ?? []
        return fitsOne === undefined ? [] : [[queryOf(parameter.name, wanted), fitsOne] as const]
      })
      .reduce<readonly [string, Fits]>(
        ([queries, fitAll], [next, fitsNext]) => [`${queries}&${next}`, (row) => fitAll(row) && fitsNext(row)],
        ['limit=1000', () => true],
      )
    const found = await read(query)
    expect([query, found.rows, found.count]).toEqual([query, rows.filter(fits), rows.filter(fits).length])
  })
})

type Fits = (row: Row) => boolean
const queryOf = (name: string, wanted: unknown): string =>
  [wanted]
    .flat()
    .map((value) => `${name}=${encodeURIComponent(String(value))}`)
    .join('&')

/** Values of a filter, an array where it is repeated, and the rows that each leaves; undefined where nothing here can say. */
const expectationsOf = (
  { name, description = '', schema }: Parameter,
  sample: ListSample,
  rows: readonly Row[],
): readonly (readonly [unknown, Fits | undefined])[] => {
  const [field, comparison] = splitName(name)
  const said = sample.fields?.[name] ?? ((row: Row) => row[field])
  if (typeof said !== 'function') return [said]
  const valuesOf = (row: Row): unknown[] => [said(row) ?? []].flat()
  const values = rows.flatMap(valuesOf).filter((value) => value !== '')
  const own = values[comparison === undefined ? 0 : Math.floor(values.length / 2)]
  expect(own, `a row that has ${field}, or an entry among the fields of the sample`).toBeDefined()
  const isPart = /^(Part|Is in)/.test(description)
  const wanted = isPart ? String(own).slice(0, 3).toUpperCase() : own
  const isSo = (value: unknown, other: unknown): boolean => {
    if (comparison !== undefined) return comparisons[comparison]?.(numberOf(value), numberOf(other)) ?? false
    if (isPart) return String(value).toLowerCase().includes(String(other).toLowerCase())
    return String(value) === String(other)
  }
  const fits =
    (asked: unknown): Fits =>
    (row) =>
      [asked].flat().some((other) => valuesOf(row).some((value) => isSo(value, other)))
  // And some that leave others or none, so that a filter that is ignored is seen.
  const others = isPart ? ['%', '_'] : othersOf(typeOf(schema), own)
  const repeated = schema.type === 'array' ? [[own, values.find((value) => value !== own) ?? others[0] ?? own]] : []
  return [wanted, ...others, ...repeated].map((value) => [value, fits(value)])
}

const othersOf = ({ type, maximum = 987_654, enum: words }: Schema, own: unknown): readonly unknown[] => {
  if (type === 'boolean') return [own !== true]
  if (type === 'integer') return [Math.min(maximum, 987_654)]
  return words?.filter((word) => word !== own).slice(0, 3) ?? []
}
