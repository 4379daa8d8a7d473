import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { ApiError } from '#api/api-error.ts'
import { session } from '#api/session.ts'
import { parseSearch, stringifySearch } from '#ui/list/search-text.ts'
import { speakTo } from '#ui/texts/speak-to.ts'
import { Frame } from './frame/frame.tsx'
import { Crashed, Nowhere } from './frame/lost.tsx'

interface RouterContext {
  readonly queries: QueryClient
}

const root = createRootRouteWithContext<RouterContext>()({ notFoundComponent: Nowhere, errorComponent: Crashed })
const getParentRoute = () => root

const login = createRoute({
  getParentRoute,
  path: '/shop/login',
  component: lazyRouteComponent(() => import('./login/login.tsx'), 'Login'),
})
const forgotten = createRoute({
  getParentRoute,
  path: '/shop/password/forgot',
  component: lazyRouteComponent(() => import('./login/forgot-password.tsx'), 'ForgotPassword'),
})
/** Where the links of letters lead. */
const newPassword = createRoute({
  getParentRoute,
  path: '/shop/password/reset',
  component: lazyRouteComponent(() => import('./login/set-password.tsx'), 'SetPassword'),
})

/** Everything inside the frame needs a session; without one the login comes first and leads back. */
const frame = createRoute({
  getParentRoute,
  id: 'frame',
  component: Frame,
  beforeLoad: async ({ context, location }) => {
    try {
      const isKnown = context.queries.getQueryData(session.queryKey) !== undefined
      const me = await context.queries.query({ ...session, staleTime: 'static' })
      if (!isKnown) await speakTo(me)
    } catch (error) {
      if (error instanceof ApiError && error.status === 401)
        // oxlint-disable-next-line typescript/only-throw-error -- TanStack Router's way to go elsewhere.
        throw redirect({ to: '/shop/login', search: { next: location.href } })
      throw error
    }
  },
  errorComponent: Crashed,
})

const screen = (path: string, load: Parameters<typeof lazyRouteComponent>[0], name: string) =>
  createRoute({
    getParentRoute: () => frame,
    path: `/shop${path}`,
    component: lazyRouteComponent(load, name),
    errorComponent: Crashed,
  })

const screens = [
  screen('/', () => import('./products/products-page.tsx'), 'ProductsPage'),
  screen('/basket', () => import('./basket/basket-page.tsx'), 'BasketPage'),
  screen('/basket/drafts', () => import('./basket/drafts-page.tsx'), 'DraftsPage'),
  screen('/basket/import', () => import('./basket/import-page.tsx'), 'ImportPage'),
  screen('/quotations', () => import('./quotations/quotations-page.tsx'), 'QuotationsPage'),
  screen('/quotations/$id', () => import('./quotations/quotation-page.tsx'), 'QuotationPage'),
  screen('/approvals', () => import('./quotations/approvals-page.tsx'), 'ApprovalsPage'),
  screen('/orders', () => import('./orders/orders-page.tsx'), 'OrdersPage'),
  screen('/account', () => import('./account/account-page.tsx'), 'AccountPage'),
]

/** Addresses of all screens with a session. */
export const makeRouter = (queries: QueryClient) =>
  createRouter({
    routeTree: root.addChildren([login, forgotten, newPassword, frame.addChildren(screens)]),
    context: { queries },
    parseSearch,
    stringifySearch: (search) => stringifySearch(search as Parameters<typeof stringifySearch>[0]),
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
  })
