import { queryOptions, useQuery } from '@tanstack/react-query'
import type { ApiError } from './api-error.ts'
import { call } from './queries.ts'
import { csrfToken } from './csrf-token.ts'
import type { Schema } from './types.ts'

/** Who is logged in in this browser. */
export type Me = Schema<'CookieSession'>

const path = '/api/v1/auth/session'

const remembered = (session: Me): Me => {
  csrfToken.set(session.csrf_token)
  return session
}

/** The session of this browser. @throws ApiError 401 when there is none */
export const session = queryOptions<Me, ApiError>({
  queryKey: ['session'],
  queryFn: async ({ signal }) => remembered(await call('get', path, {}, signal)),
  staleTime: 5 * 60_000,
  retry: false,
})

/** Begins a session in this browser. @throws ApiError 400 for a wrong name or password, 429 after too many. */
export const logIn = async (username: string, password: string): Promise<Me> =>
  remembered(await call('post', path, { body: { username, password } }))

/** Ends the session of this browser. */
export const logOut = async (): Promise<void> => {
  await call('delete', path)
  csrfToken.set(undefined)
}

/** Whoever is logged in; only for what is shown inside the frame, which is not shown without a session. */
export const useMe = (): Me => {
  const { data } = useQuery(session)
  if (data === undefined) throw new Error('There is no session.')
  return data
}

/** Whether somebody works in the back office. */
export const isBackOffice = (me: Me): boolean => me.is_staff || me.is_superuser

/** Whether somebody only buys: their pages are those of the shop. */
export const isBuyerAlone = (me: Me): boolean =>
  me.division !== null && !isBackOffice(me) && me.organizations.length === 0
