import type { Credentials } from './broker.ts'

/**
 * The account for a broker, from the header that would carry it over HTTP: user and password of `Basic`, else what follows the
 * scheme, as a token. So a broker has its account from where every receiver has it (config.auth, or a header of one's own), where it is
 * encrypted, masked, and asked for again when the host changes.
 */
export const credentialsOf = (authorization: string | undefined): Credentials | undefined => {
  if (authorization === undefined) return undefined
  const [, scheme = '', value = authorization] = /^(\S+) +(.+)$/.exec(authorization) ?? []
  if (scheme.toLowerCase() !== 'basic') return { user: undefined, password: value }
  const [, user = '', password = ''] = /^([^:]*):?(.*)$/s.exec(Buffer.from(value, 'base64').toString('utf8')) ?? []
  return { user: user === '' ? undefined : user, password }
}
