import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { describeAnswers } from './answers.ts'
import { shareComponents } from './components.ts'
import { mapOperations, type Document, type Operation } from './document-types.ts'

export interface ApiDescription {
  readonly version: string
  /** The `webhooks` part of the document: what subscribers receive (OpenAPI 3.1). */
  readonly webhooks: Readonly<Record<string, object>>
}

/** Generates the OpenAPI 3.1 document from the routes' schemas, serves it at `/openapi.json` and shows it at `/docs`. */
export const describeApi = async (app: FastifyInstance, { version, webhooks }: ApiDescription): Promise<void> => {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Waybill',
        version,
        description: 'The back office of a B2B seller, with a webhook delivery engine at its core.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      // `as never`: the types of the generator still describe OpenAPI 3.0, where there was no webhooks part.
      ...({ webhooks } as object),
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
          token: {
            type: 'apiKey',
            in: 'header',
            name: 'authorization',
            description: '`Token <key>`, `Api-Key <key>` or the bare key',
          },
          accessToken: { type: 'apiKey', in: 'header', name: 'x-access-token' },
        },
      },
    },
    transform: ({ schema, url, route }) => ({
      url,
      schema: Object.assign({}, schema, {
        ...(schema?.querystring === undefined ? {} : { querystring: withoutDefaults(schema.querystring as Query) }),
        security: route.config?.access === 'public' ? [] : [{ bearer: [] }, { token: [] }, { accessToken: [] }],
      }),
    }),
    transformObject: (document) => {
      if (!('openapiObject' in document)) return document.swaggerObject
      return finish(document.openapiObject as Document)
    },
  })
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: true,
    // The reference is also read over plain http, where that directive would leave it blank.
    transformStaticCSP: (header) => header.replace(/upgrade-insecure-requests;?/, ''),
    theme: { title: 'Waybill API reference' },
    uiConfig: { docExpansion: 'list', persistAuthorization: false },
  })
  app.get('/openapi.json', { schema: { hide: true }, config: { access: 'public' } }, async () => app.swagger())
}

interface Query {
  readonly properties?: Readonly<Record<string, { readonly default?: unknown }>>
  readonly required?: readonly string[]
}

/** The routes always find a value where there is a default, so for them it is required; for the caller it is not. */
const withoutDefaults = (query: Query): Query => ({
  ...query,
  required: query.required?.filter((name) => query.properties?.[name]?.default === undefined) ?? [],
})

/** What the generator leaves out, and every component in its place. */
const finish = (document: Document): Document => {
  const paths = mapOperations(document.paths ?? {}, (operation) => describeAnswers(markOptionalBody(operation)))
  return shareComponents({ ...document, paths })
}

/** A body that can be null can be left out. */
const markOptionalBody = (operation: Operation): Operation => {
  const { requestBody } = operation
  const canBeNull = Object.values(requestBody?.content ?? {}).some(({ schema }) => schema?.type?.includes('null'))
  return canBeNull ? { ...operation, requestBody: { ...requestBody, required: false } } : operation
}
