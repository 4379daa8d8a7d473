import { invalidFields } from '#platform/errors.ts'

/** The two ways to ask for access tokens. */
export type TokenGrant =
  | { readonly kind: 'password'; readonly username: string; readonly password: string }
  | { readonly kind: 'refresh'; readonly refreshToken: string }

interface TokenRequest {
  readonly username?: string
  readonly password?: string
  readonly refresh_token?: string
}

/** Which of the two a request means. @throws AppError 400 when it is neither, or both. */
export const tokenGrantOf = ({ username, password, refresh_token: refreshToken }: TokenRequest): TokenGrant => {
  if (refreshToken === undefined) {
    if (username !== undefined && password !== undefined) return { kind: 'password', username, password }
    const missing = Object.entries({ username, password }).filter(([, value]) => value === undefined)
    throw invalidFields(Object.fromEntries(missing.map(([name]) => [name, ['This field is required.']])))
  }
  if (username === undefined && password === undefined) return { kind: 'refresh', refreshToken }
  throw invalidFields({ refresh_token: ['Send either a refresh token or a user name and password.'] })
}
