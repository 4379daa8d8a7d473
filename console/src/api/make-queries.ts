import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from './api-error.ts'
import { session } from './session.ts'

/**
 * Makes the cache of what the API has answered. A session that has ended is found out by whatever asks first; the session
 * itself is then asked for, and opens the login.
 */
export const makeQueries = (): QueryClient => {
  const onError = (error: unknown): void => {
    const isKnown = queries.getQueryState(session.queryKey)?.status === 'success'
    if (error instanceof ApiError && error.status === 401 && isKnown)
      void queries.invalidateQueries({ queryKey: session.queryKey })
  }
  const queries = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        // A server on this machine answers also where the browser believes to have no network.
        networkMode: 'always',
        // What the server refuses it will refuse again; an answer that did not come may come.
        retry: (count, error) => count < 2 && error instanceof ApiError && error.status === 0,
      },
      mutations: { networkMode: 'always' },
    },
  })
  return queries
}
