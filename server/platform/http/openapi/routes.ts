import type { FastifyContextConfig, FastifySchema, RouteOptions } from 'fastify'
import { mapSubschemas } from './components.ts'
import type { Schema as Keywords } from './document-types.ts'
import type { Access, Scope } from '../../auth/principal.ts'
import { takesKey } from '../idempotency.ts'

export type RouteSchema = FastifySchema & {
  readonly summary?: string
  readonly description?: string
  readonly response?: Readonly<Record<string, object>>
}
type Route = Pick<RouteOptions, 'method' | 'config' | 'url'>
interface Properties {
  readonly properties?: Readonly<Record<string, { readonly default?: unknown }>>
  readonly required?: readonly string[]
}

/** What the description of an operation says that follows from its route: who may call it, and how it can fail. */
export const describeRoute = (schema: RouteSchema, route: Route): FastifySchema => {
  const { access = 'public' } = route.config ?? {}
  const headers = schema.headers as Properties | undefined
  const { response } = schema
  return {
    ...schema,
    ...(schema.querystring === undefined
      ? {}
      : { querystring: withChecks(withoutDefaults(schema.querystring as Properties) as Keywords) }),
    ...(schema.params === undefined ? {} : { params: withChecks(schema.params as Keywords) }),
    ...(schema.body === undefined ? {} : { body: withChecks(schema.body as Keywords) }),
    ...(takesKey(route) && {
      headers: {
        type: 'object',
        ...headers,
        properties: { ...headers?.properties, 'Idempotency-Key': IdempotencyKey },
      },
    }),
    ...(response && {
      response: Object.fromEntries(
        Object.entries(response)
          .filter(isPossible(schema, route))
          .map(([status, answer]) => [status, withChecks(answer as Keywords)]),
      ),
    }),
    ...rightsOf(access),
    description: [schema.description, accessSentence(access)].filter(Boolean).join('\n\n'),
    security: access === 'public' ? [] : [{ bearer: [] }, { token: [] }, { accessToken: [] }],
  }
}

/** The schema with what is checked elsewhere. */
export const withChecks = (schema: Keywords): Keywords => {
  const { 'x-checked-elsewhere': checks, ...rest } = mapSubschemas(schema, withChecks)
  return checks === undefined ? rest : { ...rest, ...withChecks(checks as Keywords) }
}

/** The routes always find a value where there is a default, so for them it is required; for the caller it is not. */
const withoutDefaults = (query: Properties): Properties => ({
  ...query,
  required: query.required?.filter((name) => query.properties?.[name]?.default === undefined) ?? [],
})

const IdempotencyKey = {
  type: 'string',
  title: 'IdempotencyKey',
  minLength: 1,
  maxLength: 255,
  pattern: String.raw`^[\x21-\x7e]+$`,
  description:
    'A name of this request, such as a UUID. Repeated with it within 24 hours, the request changes nothing and gets the first answer.',
  examples: ['0b8f5c9e-6a0e-4b71-9d53-0f6a3c1f2d47'],
}

/** Whether an answer that is written for many routes can happen at this one. */
const isPossible = (schema: RouteSchema, route: Route) => {
  const { access, also = [] }: FastifyContextConfig = route.config ?? {}
  const isPrivate = access !== 'public'
  const rules: Readonly<Record<string, boolean>> = {
    401: isPrivate,
    403: isPrivate,
    404: isPrivate || schema.params !== undefined,
    406: false,
    409: takesKey(route),
    412: route.method !== 'GET',
    413: schema.body !== undefined,
    415: schema.body !== undefined,
    429: false,
  }
  return ([status]: readonly [string, unknown]): boolean => (rules[status] ?? true) || also.includes(Number(status))
}

const rightsOf = (access: Access) =>
  access === 'public'
    ? {}
    : { 'x-required-role': access.role, ...(access.scope !== undefined && { 'x-required-scope': access.scope }) }

const audiences = {
  user: 'everybody who is logged in',
  staff: 'staff and superusers',
  superuser: 'superusers',
} as const

const accessSentence = (access: Access): string => {
  if (access === 'public') return 'Needs no credential.'
  const own = access.audience === undefined ? '' : ` Tokens of the login of ${access.audience} are good here too.`
  return `For ${audiences[access.role]}; ${limitedKeys(access.scope)}.${own}`
}

const limitedKeys = (scope: Scope | 'any' | undefined): string => {
  if (scope === undefined) return 'keys that are limited to scopes are refused'
  if (scope === 'any') return 'keys that are limited to any scopes will do'
  return `a key that is limited to scopes needs \`${scope}\``
}
