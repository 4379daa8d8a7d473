import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { makeQueries } from '#api/make-queries.ts'
import { makeRouter } from './router.tsx'

const queries = makeQueries()
const router = makeRouter(queries)

/** Fetches what the address shows. */
export const loadScreen = (): Promise<void> => router.load()

export const App = () => (
  <QueryClientProvider client={queries}>
    <RouterProvider router={router} />
  </QueryClientProvider>
)
