/** What goes on until it is logged out: a login key, or the tokens that descend from one login. */
export interface SessionRef {
  readonly kind: 'key' | 'token'
  /** That of its own table. */
  readonly id: number
}

/** One number for both kinds, which are kept in two tables: even ones are keys, odd ones tokens. */
export const sessionIdOf = ({ kind, id }: SessionRef): number => 2 * id + (kind === 'key' ? 0 : 1)

/** Which session has this number. */
export const sessionOf = (sessionId: number): SessionRef => ({
  kind: sessionId % 2 === 0 ? 'key' : 'token',
  id: Math.floor(sessionId / 2),
})
