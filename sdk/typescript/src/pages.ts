import type { Client } from 'openapi-fetch'
import type { paths } from './generated/schema.d.ts'

type Json<Operation> = Operation extends { responses: { 200: { content: { 'application/json': infer Body } } } }
  ? Body
  : never
type Rows<Body> = Body extends readonly (infer Row)[]
  ? Row
  : Body extends { results: readonly (infer Row)[] }
    ? Row
    : never

/** Paths whose answer is a page of records. */
export type ListPath = {
  [P in keyof paths]: paths[P] extends { get: { parameters: { query?: infer Parameters } } }
    ? 'page' extends keyof NonNullable<Parameters>
      ? P
      : never
    : never
}[keyof paths]

/** One record of a list. */
export type RowOf<P extends keyof paths> = paths[P] extends { get: infer Operation } ? Rows<Json<Operation>> : never

type Query = Readonly<Record<string, unknown>>
type Init = { readonly params?: { readonly query?: Query } } | undefined

/** 10 is what a page has unless it is asked for more. */
const rowsOnAPage = 100

/** Asks for a page, hands out its records, and asks for the next one when they are used up. */
export async function* eachRow(http: Client<paths>, path: ListPath, init: unknown): AsyncGenerator {
  const { params, ...rest } = (init as Init) ?? {}
  let query: Query | undefined = { limit: rowsOnAPage, ...params?.query }
  while (query !== undefined) {
    const { data, response } = await http.request('get', path as '/whisperer/hooks', {
      ...rest,
      params: { ...params, query },
    })
    const page: unknown = data
    const rows = Array.isArray(page) ? page : (page as { results: unknown[] }).results
    yield* rows
    query = nextQuery(query, page, rows.length, response)
  }
}

/** Where the next page is: said in the body, in `Link`, or, where addresses are too long for that, by the count. */
const nextQuery = (query: Query, page: unknown, rows: number, { headers }: Response): Query | undefined => {
  const link = headers.get('link')
  if (!Array.isArray(page)) return parametersOf(query, (page as { next: string | null }).next)
  if (link !== null) return parametersOf(query, /<([^>]*)>; rel="next"/.exec(link)?.[1])
  const isMore = rows > 0 && headers.has('x-total-count')
  return isMore ? { ...query, page: Number(query['page'] ?? 1) + 1 } : undefined
}

const parametersOf = (query: Query, url: string | null | undefined): Query | undefined => {
  if (!url) return undefined
  const { page: _page, cursor: _cursor, ...rest } = query
  const next = new URL(url, 'http://any').searchParams
  const cursor = next.get('cursor')
  return cursor === null ? { ...rest, page: Number(next.get('page')) } : { ...rest, cursor }
}
