import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, createRouter, redirect, type AnyRoute } from '@tanstack/react-router'
import i18next from 'i18next'
import type { ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '#api/api-error.ts'
import { isBuyerAlone, session, useMe } from '#api/session.ts'
import type { Search } from '#ui/list/filters.ts'
import { Link } from '#ui/link.tsx'
import type { Screen } from '#ui/screen.ts'
import { Failed } from '#ui/states.tsx'
import { Frame } from './frame.tsx'
import { Crashed } from './crashed.tsx'
import { ForgotPassword } from './forgot-password.tsx'
import { Login } from './login.tsx'
import { SetPassword } from './set-password.tsx'
import { parseSearch, stringifySearch } from '#ui/list/search-text.ts'
import { speakTo } from '#ui/texts/speak-to.ts'
import { screens, type SpokenScreen } from './screens.ts'

interface RouterContext {
  readonly queries: QueryClient
}

const root = createRootRouteWithContext<RouterContext>()()

const login = createRoute({ getParentRoute: () => root, path: '/login', component: Login })
const forgotPassword = createRoute({ getParentRoute: () => root, path: '/password/forgot', component: ForgotPassword })
/** Where the links of letters lead. */
const setPassword = createRoute({ getParentRoute: () => root, path: '/password/reset', component: SetPassword })

/** Everything inside the frame needs a session; without one the login comes first and leads back. */
const frame = createRoute({
  getParentRoute: () => root,
  id: 'frame',
  component: Frame,
  beforeLoad: async ({ context, location }) => {
    try {
      const isKnown = context.queries.getQueryData(session.queryKey) !== undefined
      const me = await context.queries.query({ ...session, staleTime: 'static' })
      if (!isKnown) await speakTo(me)
      // oxlint-disable-next-line typescript/only-throw-error -- TanStack Router's way to go elsewhere.
      if (location.pathname === '/' && isBuyerAlone(me)) throw redirect({ href: '/shop', reloadDocument: true })
    } catch (error) {
      if (error instanceof ApiError && error.status === 401)
        // oxlint-disable-next-line typescript/only-throw-error -- TanStack Router's way to go elsewhere.
        throw redirect({ to: '/login', search: { next: location.href } })
      throw error
    }
  },
  errorComponent: Crashed,
})

/** Every address that no screen has: inside the frame, so that the menu leads on. */
const nowhere = createRoute({
  getParentRoute: () => frame,
  path: '$',
  // The shop is another page: what is found in it is gone to by loading that.
  beforeLoad: ({ location }) => {
    // oxlint-disable-next-line typescript/only-throw-error -- TanStack Router's way to go elsewhere.
    if (/^\/shop(?=\/|$)/.test(location.pathname)) throw redirect({ href: location.href, reloadDocument: true })
  },
  component: function Nowhere() {
    const { t } = useTranslation('shell')
    return (
      <>
        <Failed error={new ApiError(location.pathname, { status: 404 })} />
        <p style={{ textAlign: 'center' }}>
          <Link to="/">{t('to_home')}</Link>
        </p>
      </>
    )
  },
})

/** A screen that its reader may not see says so instead of asking the API for what it will refuse. */
const guarded = (may: Screen['may'], Component: ComponentType): ComponentType =>
  function Guarded() {
    const me = useMe()
    const { t } = useTranslation('shell')
    if (may === undefined || may(me)) return <Component />
    return (
      <>
        <Failed error={new ApiError(t('not_for_you', { email: me.email }), { status: 403 })} />
        {isBuyerAlone(me) && (
          <p style={{ textAlign: 'center' }}>
            <a href={inShop(location.pathname)}>{t('to_shop')}</a>
          </p>
        )}
      </>
    )
  }

/** Where buyers have what the console has here: a quotation is in both. */
const inShop = (path: string): string => `/shop${/^\/quotations\/\d+/.exec(path)?.[0] ?? ''}`

/** Texts of parts that screens of several features are made of. */
const sharedTexts = ['board', 'delivery', 'fulfilment']

const toRoute = (parent: AnyRoute, screen: SpokenScreen): AnyRoute => {
  // Texts that came later would hide the screen once more, and React shows nothing new for 0.3 s after it did.
  const loaded = async () => {
    const [code] = await Promise.all([screen.load(), i18next.loadNamespaces([screen.texts, ...sharedTexts])])
    return code
  }
  const route = createRoute({
    getParentRoute: () => parent,
    path: screen.path,
    loader: async ({ context, params, location }) => {
      const search = location.search as Search
      const { asks } = await loaded()
      const { queries } = context as unknown as RouterContext
      const me = queries.getQueryData(session.queryKey)
      if (screen.may !== undefined && (me === undefined || !screen.may(me))) return
      // Not waited for: the screen shows its skeleton meanwhile, and its own query says what went wrong.
      for (const query of asks?.({ params: params as Readonly<Record<string, string>>, search }) ?? [])
        queries.query(query as Parameters<QueryClient['query']>[0]).catch(() => undefined)
    },
    errorComponent: Crashed,
  }).lazy(async () => {
    const { component } = await loaded()
    return { options: { component: guarded(screen.may, component) } } as never
  })
  const children = (screen.children ?? []).map((child) =>
    toRoute(route as unknown as AnyRoute, {
      ...(screen.may !== undefined && { may: screen.may }),
      ...child,
      texts: screen.texts,
    }),
  )
  return children.length === 0 ? route : route.addChildren(children)
}

export const makeRouter = (queries: QueryClient) =>
  createRouter({
    routeTree: root.addChildren([
      login,
      forgotPassword,
      setPassword,
      frame.addChildren([...screens.map((screen) => toRoute(frame, screen)), nowhere]),
    ]),
    context: { queries },
    parseSearch,
    stringifySearch: (search) => stringifySearch(search as Search),
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
  })
