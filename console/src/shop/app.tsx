import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { ApiError } from '#api/api-error.ts'
import { session } from '#api/session.ts'
import { makeRouter } from './router.tsx'

/** A session that has ended is found out by whatever asks first; the frame then asks for a login over the page. */
const onError = (error: unknown): void => {
  if (
    error instanceof ApiError &&
    error.status === 401 &&
    queries.getQueryState(session.queryKey)?.status === 'success'
  )
    void queries.invalidateQueries({ queryKey: session.queryKey })
}

const queries = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      networkMode: 'always',
      // What the server refuses it will refuse again; an answer that did not come may come.
      retry: (count, error) => count < 2 && error instanceof ApiError && error.status === 0,
    },
    mutations: { networkMode: 'always' },
  },
})
const router = makeRouter(queries)

/** Fetches what the address shows. */
export const loadScreen = (): Promise<void> => router.load()

export const App = () => (
  <QueryClientProvider client={queries}>
    <RouterProvider router={router} />
  </QueryClientProvider>
)
