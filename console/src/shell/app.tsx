import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { ApiError } from '#api/api-error.ts'
import { cssVariablesResolver, theme } from '#ui/theme.ts'
import { makeRouter } from './router.tsx'

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // What the server refuses it will refuse again; an answer that did not come may come.
      retry: (count, error) => count < 2 && error instanceof ApiError && error.status === 0,
    },
  },
})
const router = makeRouter(queries)

/** The nonce of the page's policy, for the styles that Mantine makes while it runs. */
const nonce = (): string => document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''

export const App = () => (
  <MantineProvider
    theme={theme}
    cssVariablesResolver={cssVariablesResolver}
    defaultColorScheme="auto"
    getStyleNonce={nonce}
  >
    <QueryClientProvider client={queries}>
      <Notifications position="bottom-right" />
      <RouterProvider router={router} />
    </QueryClientProvider>
  </MantineProvider>
)
