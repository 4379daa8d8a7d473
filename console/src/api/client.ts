import createClient from 'openapi-fetch'
import { toApiError } from './api-error.ts'
import { csrfToken } from './csrf-token.ts'
import type { paths } from './generated/schema.d.ts'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * The client of the API, typed by `docs/openapi.json`. The session travels in a cookie that scripts cannot read; whatever
 * changes something carries the token that only a page of this origin knows.
 * Every call ends as an `ApiError` when the answer is not a 2xx, or when there is none.
 */
export const client = createClient<paths>({
  baseUrl: '',
  credentials: 'same-origin',
  querySerializer: { array: { style: 'form', explode: true } },
})

client.use({
  onRequest: ({ request }) => {
    const token = csrfToken.get()
    if (token !== undefined && !safeMethods.has(request.method)) request.headers.set('x-csrf-token', token)
    return request
  },
  onResponse: async ({ response }) => {
    if (!response.ok) throw await toApiError(response)
  },
  onError: ({ error }) => toApiError(error),
})
