import { DirectionProvider, MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { makeQueries } from '#api/make-queries.ts'
import { cssVariablesResolver, theme } from '#ui/theme.ts'
import { nonce } from './nonce.ts'
import { makeRouter } from './router.tsx'

const queries = makeQueries()
const router = makeRouter(queries)

/** Fetches what the address shows. */
export const loadScreen = (): Promise<void> => router.load()

export const App = () => (
  <DirectionProvider>
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
  </DirectionProvider>
)
