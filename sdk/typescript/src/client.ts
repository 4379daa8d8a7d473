import { randomUUID } from 'node:crypto'
import createOpenapiClient, { type Client, type FetchResponse, type MaybeOptionalInit } from 'openapi-fetch'
import { errorOf } from './errors.ts'
import { postsWithoutKey } from './generated/posts-without-key.ts'
import type { paths } from './generated/schema.d.ts'
import { eachRow, type ListPath, type RowOf } from './pages.ts'
import { retryingFetch, type RetryOptions } from './retries.ts'

export interface ClientOptions extends Partial<RetryOptions> {
  /** Where the server is, such as `http://127.0.0.1:4000`. */
  readonly baseUrl: string
  /** An API key, or an access token. */
  readonly apiKey?: string
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'
type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, { responses: unknown }> ? P : never
}[keyof paths]
type Init<M extends Method, P extends PathOf<M>> = MaybeOptionalInit<paths[P], M>
type Inits<I> = undefined extends I ? [I?] : [I]
type Answer<M extends Method, P extends PathOf<M>, I> = paths[P][M] extends infer Operation extends object
  ? SuccessOf<FetchResponse<Operation, I, `${string}/${string}`>>
  : never
type SuccessOf<Response> = Response extends { error?: never; data: infer Data } ? Data : never

/** Calls an operation by its path. @returns the body of its answer. @throws WaybillError for any other answer than 2xx. */
export type Call<M extends Method> = <P extends PathOf<M>, I extends Init<M, P>>(
  path: P,
  ...init: Inits<I>
) => Promise<Answer<M, P, I>>

export interface Waybill {
  readonly get: Call<'get'>
  readonly post: Call<'post'>
  readonly put: Call<'put'>
  readonly patch: Call<'patch'>
  readonly delete: Call<'delete'>
  /** Every record of a list, page after page, each asked for when it is needed. */
  each<P extends ListPath & PathOf<'get'>, I extends Init<'get', P>>(
    path: P,
    ...init: Inits<I>
  ): AsyncIterable<RowOf<P>>
  /** The client of openapi-fetch under all this, for answers with their headers: the same key, retries and errors. */
  readonly http: Client<paths>
}

/** A client of one server, with the rights of one key. */
export const createClient = (options: ClientOptions): Waybill => {
  const { baseUrl, apiKey, maxRetries = 3, timeoutMs = 60_000, fetch = globalThis.fetch } = options
  const http = createOpenapiClient<paths>({
    baseUrl,
    headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
    querySerializer: { array: { style: 'form', explode: true } },
    fetch: retryingFetch({ maxRetries, timeoutMs, fetch }),
  })
  http.use({
    onRequest: ({ request, schemaPath }) => {
      const takesKey = request.method === 'POST' && !postsWithoutKey.has(schemaPath)
      if (takesKey && !request.headers.has('idempotency-key')) request.headers.set('idempotency-key', randomUUID())
      return request
    },
    onResponse: async ({ response }) => {
      if (!response.ok) throw await errorOf(response)
    },
  })
  const call = <M extends Method>(method: M): Call<M> =>
    (async (path: never, init: never) => (await http.request(method, path, init)).data) as unknown as Call<M>
  return {
    get: call('get'),
    post: call('post'),
    put: call('put'),
    patch: call('patch'),
    delete: call('delete'),
    each: (path, ...[init]) => eachRow(http, path, init) as AsyncIterable<never>,
    http,
  }
}
