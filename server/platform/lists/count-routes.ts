import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TProperties } from 'typebox'
import type { App } from '../http/record-routes.ts'
import type { Operation, RouteOptions } from '../http/route-options.ts'
import { Counts, countQuery, type CountsBy } from './count-by.ts'
import type { List } from './define-list.ts'

interface Counting<Value extends string> {
  /** Path of the list. */
  readonly path: string
  readonly route: RouteOptions
  readonly operation: Operation
  readonly list: Pick<List, 'filterProperties'>
  /** Further parameters of the query, which `count` reads itself. */
  readonly parameters?: TProperties
  readonly values: readonly Value[]
  /** Of the schema of the answer, and what is counted, such as `packages`. */
  readonly title: string
  readonly what: string
  readonly count: (query: object, request: FastifyRequest) => Promise<CountsBy<Value>>
}

/** `GET <path>/counts`: how many rows of a list each status has, by the other filters. */
export const countRoute = <Value extends string>(app: App, counting: Counting<Value>): void => {
  const { path, route, operation, list, parameters, values, title, what, count } = counting
  const schemas = {
    querystring: countQuery(list, 'status', parameters),
    response: { 200: Counts(values, title, what) },
  }
  app.get(`${path}/counts`, route(operation, schemas), async (request: FastifyRequest, reply: FastifyReply) => {
    const { counts, isMore } = await count(request.query as object, request)
    if (isMore) reply.header('x-total-count-relation', 'gte')
    return reply.send(counts)
  })
}
