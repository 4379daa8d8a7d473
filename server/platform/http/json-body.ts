import type { FastifyInstance } from 'fastify'
import { AppError, invalidField, notFound } from '../errors.ts'

/** Deep enough for any document of this API, far too shallow to exhaust a stack. */
const maxDepth = 64

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/**
 * Parses `application/json` strictly: UTF-8 only, no NUL, no lone surrogates, no numbers beyond
 * a double, no `__proto__`. PostgreSQL cannot store the first two, so they must not get that far.
 * @param reviver changes values as they are read, as that of `JSON.parse` does.
 * @throws AppError 400, naming the field where there is one.
 */
export const parseJsonBody = (bytes: Buffer, reviver?: Reviver): unknown => {
  // An action without parameters is posted without a body; where fields are needed, they are missing.
  if (bytes.length === 0) return {}
  let value: unknown
  try {
    const text = decoder.decode(bytes)
    refuseDeep(text)
    value = JSON.parse(text, reviver)
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError('parse_error', 400, 'The body is not valid JSON in UTF-8.')
  }
  refuseUnstorable(value)
  return value
}

type Reviver = (name: string, value: unknown) => unknown

/** What cannot be stored of a text is replaced, for bodies that quote others. */
const storable: Reviver = (_name, value) =>
  typeof value === 'string' ? value.replaceAll('\u0000', '\uFFFD').toWellFormed() : value

/** Why a text cannot be stored, or undefined when it can. */
export const textProblem = (text: string): string | undefined => {
  if (text.includes('\u0000')) return 'NUL characters are not allowed.'
  if (!text.isWellFormed()) return 'The text has half of a surrogate pair.'
  return undefined
}

/** A value that cannot be stored, and where it is: the names on the way to it, the last one first. */
interface Unstorable {
  readonly problem: string
  readonly path: string[]
}

const refuseUnstorable = (root: unknown): void => {
  const found = findUnstorable(root)
  if (found === undefined) return
  throw invalidField(found.path.length === 0 ? 'non_field_errors' : found.path.toReversed().join('.'), found.problem)
}

/** Names the way only to what it finds: a body has room for half a million values, and everybody else waits meanwhile. */
const findUnstorable = (value: unknown): Unstorable | undefined => {
  if (typeof value === 'string') return found(textProblem(value))
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : found('The number is out of range.')
  if (typeof value !== 'object' || value === null) return undefined
  return Array.isArray(value) ? findInList(value) : findInObject(value as Readonly<Record<string, unknown>>)
}

const found = (problem: string | undefined): Unstorable | undefined =>
  problem === undefined ? undefined : { problem, path: [] }

const findInList = (values: readonly unknown[]): Unstorable | undefined => {
  for (let index = 0; index < values.length; index++) {
    const unstorable = findUnstorable(values[index])
    if (unstorable !== undefined) return below(unstorable, `${index}`)
  }
  return undefined
}

const findInObject = (fields: Readonly<Record<string, unknown>>): Unstorable | undefined => {
  for (const name of Object.keys(fields)) {
    if (name === '__proto__' || textProblem(name) !== undefined) return found('A field name is not allowed.')
    const unstorable = findUnstorable(fields[name])
    if (unstorable !== undefined) return below(unstorable, name)
  }
  return undefined
}

const below = (unstorable: Unstorable, name: string): Unstorable => {
  unstorable.path.push(name)
  return unstorable
}

/** Before anything is made of it: so many levels of objects take longer to make than to refuse. */
const refuseDeep = (text: string): void => {
  let depth = 0
  let isInText = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) isInText = !isInText
    else if (code === backslash) at++
    else if (!isInText && (code === openBracket || code === openBrace)) {
      if (++depth > maxDepth) throw invalidField('non_field_errors', `Nested deeper than ${maxDepth} levels.`)
    } else if (!isInText && (code === closeBracket || code === closeBrace)) depth--
  }
}
const [quote, backslash, openBracket, closeBracket, openBrace, closeBrace] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d]

/** Replaces the framework's JSON parser with the strict one. A GET may carry the content type without a body (contract, section 11). */
export const acceptJson = (
  app: FastifyInstance,
  options: { readonly bodyLimit?: number } = {},
  reviver?: Reviver,
): void => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer', ...options }, (request, body, done) => {
    // No such path or method: that is what is answered, whatever the body is.
    if (request.is404) return done(null, undefined)
    if (body.length === 0 && (request.method === 'GET' || request.method === 'DELETE')) return done(null, undefined)
    try {
      done(null, parseJsonBody(body, reviver))
    } catch (error) {
      done(error as Error)
    }
  })
}

const eightMiB = 8_388_608

/** Routes whose bodies quote what somebody else sent: up to 8 MiB, and no text is refused (contract, section 6). */
export const acceptQuotedTexts = (app: FastifyInstance): void => acceptJson(app, { bodyLimit: eightMiB }, storable)

/** Refuses NUL and lone surrogates in paths and queries: no row can hold them, so nothing there can match. */
export const refuseUnsafeUrls = (app: FastifyInstance): void => {
  app.addHook('preValidation', async (request) => {
    for (const value of Object.values(request.params as Record<string, unknown>)) {
      if (typeof value === 'string' && textProblem(value) !== undefined) throw notFound()
    }
    for (const [name, values] of Object.entries(request.query as Record<string, unknown>)) {
      for (const value of [values].flat()) {
        const problem = typeof value === 'string' ? textProblem(value) : undefined
        if (problem !== undefined) throw invalidField(name, problem)
      }
    }
  })
}
