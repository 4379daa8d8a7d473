import type { FastifyInstance } from 'fastify'
import { AppError, invalidField } from '../errors.ts'

/** Deep enough for any document of this API, far too shallow to exhaust a stack. */
const maxDepth = 64

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/**
 * Parses `application/json` strictly: UTF-8 only, no NUL, no lone surrogates, no numbers beyond
 * a double, no `__proto__`. PostgreSQL cannot store the first two, so they must not get that far.
 * @throws AppError 400, naming the field where there is one.
 */
export const parseJsonBody = (bytes: Buffer): unknown => {
  // An action without parameters is posted without a body; where fields are needed, they are missing.
  if (bytes.length === 0) return {}
  let value: unknown
  try {
    value = JSON.parse(decoder.decode(bytes))
  } catch {
    throw new AppError('parse_error', 400, 'The body is not valid JSON in UTF-8.')
  }
  refuseUnstorable(value)
  return value
}

/** Why a text cannot be stored, or undefined when it can. */
export const textProblem = (text: string): string | undefined => {
  if (text.includes('\u0000')) return 'NUL characters are not allowed.'
  if (!text.isWellFormed()) return 'The text has half of a surrogate pair.'
  return undefined
}

const refuseUnstorable = (root: unknown): void => {
  const queue: { value: unknown; path: string; depth: number }[] = [{ value: root, path: '', depth: 0 }]
  for (let entry = queue.pop(); entry !== undefined; entry = queue.pop()) {
    const { value, path, depth } = entry
    const problem = problemOf(value, depth)
    if (problem !== undefined) throw invalidField(path === '' ? 'non_field_errors' : path, problem)
    if (typeof value !== 'object' || value === null) continue
    for (const [name, child] of Object.entries(value)) {
      const childPath = path === '' ? name : `${path}.${name}`
      if (textProblem(name) !== undefined || name === '__proto__')
        throw invalidField(path === '' ? 'non_field_errors' : path, 'A field name is not allowed.')
      queue.push({ value: child, path: childPath, depth: depth + 1 })
    }
  }
}

const problemOf = (value: unknown, depth: number): string | undefined => {
  if (depth > maxDepth) return `Nested deeper than ${maxDepth} levels.`
  if (typeof value === 'string') return textProblem(value)
  if (typeof value === 'number' && !Number.isFinite(value)) return 'The number is out of range.'
  return undefined
}

/** Replaces the framework's JSON parser with the strict one. A GET may carry the content type without a body (contract, section 11). */
export const acceptJson = (app: FastifyInstance): void => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    // No such path or method: that is what is answered, whatever the body is.
    if (request.is404) return done(null, undefined)
    if (body.length === 0 && (request.method === 'GET' || request.method === 'DELETE')) return done(null, undefined)
    try {
      done(null, parseJsonBody(body))
    } catch (error) {
      done(error as Error)
    }
  })
}
