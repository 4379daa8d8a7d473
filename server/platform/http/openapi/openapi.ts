import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { describeAnswers, showExamples } from './answers.ts'
import { shareComponents } from './components.ts'
import { mapOperations, type Document, type Operation } from './document-types.ts'
import { describeFields, type FieldTexts } from './fields.ts'
import { answerHeaders, introduction, tags } from './overview.ts'
import { writePlainly } from './plain-schemas.ts'
import { showReference } from './reference.ts'
import { describeRoute, type RouteSchema } from './routes.ts'

export interface ApiDescription {
  readonly version: string
  /** The `webhooks` part of the document: what subscribers receive (OpenAPI 3.1). */
  readonly webhooks: Readonly<Record<string, object>>
  /** What `code` of a broken rule can be. */
  readonly errorCodes?: readonly string[]
  /** What fields mean whose schemas do not say it. */
  readonly fieldTexts?: FieldTexts
  /** Reads examples of successful JSON answers, by operation and status. */
  readonly readExamples?: () => Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Entries that are added to `webhooks` when the document is asked for: the same object until they change. */
  readonly ownWebhooks?: () => Promise<Readonly<Record<string, object>>>
}

/** Generates the OpenAPI 3.1 document from the routes' schemas, serves it at `/openapi.json` and shows it at `/docs`. */
export const describeApi = async (app: FastifyInstance, description: ApiDescription): Promise<void> => {
  const { version, webhooks, ownWebhooks = async () => none } = description
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Waybill',
        version,
        description: introduction,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      // `as never`: the types of the generator still describe OpenAPI 3.0, where there was no webhooks part.
      ...({ webhooks } as object),
      servers: [{ url: '/', description: 'The server that this description came from.' }],
      tags,
      components: {
        headers: answerHeaders as never,
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'An access token, or a key.' },
          token: {
            type: 'apiKey',
            in: 'header',
            name: 'authorization',
            description: '`Token <key>`, `Api-Key <key>` or the bare key.',
          },
          accessToken: {
            type: 'apiKey',
            in: 'header',
            name: 'x-access-token',
            description: 'A key, or an access token.',
          },
        },
      },
    },
    transform: ({ schema, url, route }) => ({ url, schema: describeRoute((schema ?? {}) as RouteSchema, route) }),
    transformObject: (document) => {
      if (!('openapiObject' in document)) return document.swaggerObject
      return finish(document.openapiObject as Document, description)
    },
  })
  showReference(app)
  let served: { readonly own: object; readonly body: Buffer } | undefined
  app.get('/openapi.json', { schema: { hide: true }, config: { access: 'public' } }, async (_request, reply) => {
    const own = await ownWebhooks()
    if (served?.own !== own) {
      const document = app.swagger() as Document
      const body = JSON.stringify({ ...document, webhooks: { ...document.webhooks, ...own } })
      served = { own, body: Buffer.from(body) }
    }
    return reply.type('application/json; charset=utf-8').send(served.body)
  })
}

const none = {}

/** What the generator leaves out, and every component in its place. */
const finish = (document: Document, { errorCodes, fieldTexts = {}, readExamples }: ApiDescription): Document => {
  const paths = mapOperations(document.paths ?? {}, (operation) =>
    describeFields(describeAnswers(writePlainly(markOptionalBody(operation))), fieldTexts),
  )
  const webhooks = mapOperations(document.webhooks ?? {}, (operation) => describeFields(operation, fieldTexts))
  const { components, ...shared } = shareComponents({ ...document, paths, webhooks })
  const examples = readExamples?.() ?? {}
  const ErrorCode = {
    title: 'ErrorCode',
    type: 'string',
    description: 'Names the rule, for programs: docs/errors.md says what each means.',
    ...(errorCodes && { enum: errorCodes }),
  }
  const shown = mapOperations(shared.paths ?? {}, (operation) =>
    showExamples(operation, examples[operation.operationId ?? '']),
  )
  return { ...shared, paths: shown, components: { ...components, schemas: { ...components?.['schemas'], ErrorCode } } }
}

/** A body that can be null can be left out. */
const markOptionalBody = (operation: Operation): Operation => {
  const { requestBody } = operation
  const canBeNull = Object.values(requestBody?.content ?? {}).some(({ schema }) => schema?.type?.includes('null'))
  return canBeNull ? { ...operation, requestBody: { ...requestBody, required: false } } : operation
}
