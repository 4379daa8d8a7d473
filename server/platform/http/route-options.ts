import type { FastifyContextConfig } from 'fastify'
import type { TSchema } from 'typebox'

/** Who may call a route, and what the API description says of it. */
export interface Operation {
  readonly config: FastifyContextConfig
  readonly operationId: string
  readonly summary: string
  readonly description?: string
}

/** Makes operations that the same people may call. */
export const operationsFor =
  (config: FastifyContextConfig) =>
  (operationId: string, summary: string, description?: string): Operation => ({
    config,
    operationId,
    summary,
    ...(description === undefined ? {} : { description }),
  })

interface RouteSchemas {
  readonly params?: TSchema
  readonly headers?: TSchema
  readonly querystring?: TSchema
  readonly body?: TSchema
  readonly consumes?: readonly string[]
  readonly response: Readonly<Record<number, unknown>>
}

/**
 * Makes the options of the routes that stand under one tag of the API description.
 * @param errors answers that each of them can give besides its own.
 */
export const makeRouteOptions =
  <const Errors extends object>(tag: string, errors: Errors) =>
  <const Schemas extends RouteSchemas>({ config, ...operation }: Operation, schemas: Schemas) => ({
    config,
    schema: { tags: [tag], ...operation, ...schemas, response: { ...errors, ...schemas.response } },
  })

export type RouteOptions = ReturnType<typeof makeRouteOptions>
