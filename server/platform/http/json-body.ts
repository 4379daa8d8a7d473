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

/**
 * @param path the names on the way to the value, shared by all: a body has room for half a million values, and everybody else waits
 *   meanwhile.
 */
const refuseUnstorable = (value: unknown, path: (string | number)[] = []): void => {
  if (typeof value === 'string') return refuse(textProblem(value), path)
  if (typeof value === 'number') return refuse(Number.isFinite(value) ? undefined : 'The number is out of range.', path)
  if (typeof value !== 'object' || value === null) return
  const isList = Array.isArray(value)
  for (const name of isList ? value.keys() : Object.keys(value)) {
    if (!isList && (name === '__proto__' || textProblem(String(name)) !== undefined))
      refuse('A field name is not allowed.', path)
    path.push(name)
    refuseUnstorable((value as Readonly<Record<string, unknown>>)[name], path)
    path.pop()
  }
}

const refuse = (problem: string | undefined, path: readonly (string | number)[]): void => {
  if (problem !== undefined) throw invalidField(path.length === 0 ? 'non_field_errors' : path.join('.'), problem)
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
