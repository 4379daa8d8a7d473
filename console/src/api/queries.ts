import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { ApiError } from './api-error.ts'
import { client } from './client.ts'
import { requestUrl } from './request-url.ts'
import type { Answer, Body, ListPath, Method, PathOf, PathParameters, Query, RowOf } from './types.ts'

/** What an operation is asked with. */
export interface Asked<M extends Method, P extends PathOf<M>> {
  readonly path?: PathParameters<M, P>
  readonly query?: Query<M, P>
  readonly body?: Body<M, P>
  /** The version that this is about, as its `ETag` says: 412, and nothing happens, when it is another by now. */
  readonly ifMatch?: string
}

/** Calls an operation. @returns the body of its answer. @throws ApiError */
export const call = async <M extends Method, P extends PathOf<M>>(
  method: M,
  path: P,
  asked: Asked<M, P> = {},
  signal?: AbortSignal,
): Promise<Answer<M, P>> => (await exchange(method, path, asked, signal)).data as Answer<M, P>

interface Exchange {
  readonly data: unknown
  readonly response: Response
}

/** The one place where the types of the description meet a client that is called by a path in a variable. */
const exchange = async <M extends Method, P extends PathOf<M>>(
  method: M,
  path: P,
  { path: parameters, query, body, ifMatch }: Asked<M, P>,
  signal?: AbortSignal,
): Promise<Exchange> => {
  const request = client.request as unknown as (method: string, path: string, init: object) => Promise<Exchange>
  const header = ifMatch === undefined ? {} : { 'if-match': ifMatch }
  const init = { params: { path: parameters, query, header }, body, ...(signal !== undefined && { signal }) }
  return request(method, path, init)
}

/** One record, or anything else that a GET answers, as a query. */
export const recordOf = <P extends PathOf<'get'>>(path: P, asked: Omit<Asked<'get', P>, 'body'> = {}) =>
  queryOptions<Answer<'get', P>, ApiError>({
    queryKey: [path, asked.path ?? {}, asked.query ?? {}],
    queryFn: ({ signal }) => call('get', path, asked, signal),
  })

/** One page of a list. */
export interface Page<Row> {
  readonly rows: readonly Row[]
  readonly total: number
  /** Logs count to 10,000 and then say "or more". */
  readonly isExact: boolean
  /** Where the next page begins, in lists that are read by cursor; `page` is for the others. */
  readonly nextCursor: string | undefined
}

/** A page of a list, whichever of the two ways of the API it is paged in; the page before stays while the next loads. */
export const listOf = <P extends ListPath>(path: P, asked: Omit<Asked<'get', P>, 'body'> = {}) =>
  queryOptions<Page<RowOf<P>>, ApiError>({
    queryKey: [path, asked.path ?? {}, asked.query ?? {}],
    queryFn: async ({ signal }) => {
      const { data, response } = await exchange('get', path, asked, signal)
      return toPage<RowOf<P>>(data, response.headers)
    },
    placeholderData: keepPreviousData,
  })

const toPage = <Row>(data: unknown, headers: Headers): Page<Row> => {
  if (!Array.isArray(data)) {
    const { count, results } = data as { count: number; results: readonly Row[] }
    return { rows: results, total: count, isExact: true, nextCursor: undefined }
  }
  const next = /<([^>]*)>;\s*rel="next"/.exec(headers.get('link') ?? '')?.[1]
  return {
    rows: data as Row[],
    total: Number(headers.get('x-total-count') ?? data.length),
    isExact: headers.get('x-total-count-relation') !== 'gte',
    nextCursor:
      next === undefined ? undefined : (new URL(next, location.origin).searchParams.get('cursor') ?? undefined),
  }
}

/**
 * A write as a mutation. Everything that is on the screen is asked for again when it has ended, also when it failed: a
 * refusal often means that what is shown is old.
 */
export const useSend = <M extends Exclude<Method, 'get'>, P extends PathOf<M>>(method: M, path: P) => {
  const queries = useQueryClient()
  return useMutation<Answer<M, P>, ApiError, Asked<M, P>>({
    mutationFn: (asked) => call(method, path, asked),
    // Not waited for: a button that waited for everything on the page would say for seconds that it is still at it.
    onSettled: () => void queries.invalidateQueries(),
  })
}

/** The address of a GET, as a program would write it. */
export const addressOf = <P extends PathOf<'get'>>(path: P, asked: Omit<Asked<'get', P>, 'body'> = {}): string =>
  requestUrl(path, asked.path as object | undefined, asked.query)
