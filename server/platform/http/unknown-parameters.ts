import type { FastifyInstance, FastifyRequest } from 'fastify'
import { invalidFields } from '../errors.ts'
import { nearestTo } from '../text-distance.ts'

/** What clients of other frameworks add to any URL. */
const ignored = new Set(['format', 'lang', '_'])

/**
 * Refuses query parameters that the route does not know, on every write and wherever a query is described: a list that ignores
 * a misspelt filter shows too much, and a misspelt `dry_run` writes (contract, section 1).
 */
export const refuseUnknownParameters = (app: FastifyInstance): void => {
  app.addHook('preValidation', async (request) => {
    const known = knownOf(request)
    if (known === undefined) return
    const unknown = Object.keys(request.query as object).filter((name) => !known.includes(name) && !ignored.has(name))
    if (unknown.length === 0) return
    throw invalidFields(Object.fromEntries(unknown.map((name) => [name, [messageFor(name, known)]])))
  })
}

const knownOf = ({ method, routeOptions, is404 }: FastifyRequest): readonly string[] | undefined => {
  const query = routeOptions.schema?.querystring as { readonly properties?: object } | undefined
  if (query !== undefined) return Object.keys(query.properties ?? {})
  return is404 || method === 'GET' || method === 'HEAD' ? undefined : []
}

const messageFor = (name: string, known: readonly string[]): string => {
  const nearest = nearestTo(name, known)
  return nearest === undefined ? 'Unknown query parameter.' : `Unknown query parameter. Did you mean "${nearest}"?`
}
