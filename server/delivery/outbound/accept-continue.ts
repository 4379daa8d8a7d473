import type { Socket } from 'node:net'

interface Parser {
  onHeadersComplete(status: number, ...rest: unknown[]): number
}

/**
 * Lets a server say `100 Continue` without having been asked (RFC 9110, section 15.2: a client must be
 * able to parse it, and may ignore it). undici breaks such a connection, but passes over every other
 * interim answer, so to its parser it becomes one of these.
 *
 * The parser is found by the name of undici's symbol for it. Without it everything else works as before.
 */
export const acceptContinue = (socket: Socket): void => {
  const key = Object.getOwnPropertySymbols(socket).find(({ description }) => description === 'parser')
  const parser = key === undefined ? undefined : (Reflect.get(socket, key) as Parser | null)
  if (parser === undefined || parser === null) return
  const onHeadersComplete = parser.onHeadersComplete.bind(parser)
  parser.onHeadersComplete = (status, ...rest) => onHeadersComplete(status === 100 ? 102 : status, ...rest)
}
