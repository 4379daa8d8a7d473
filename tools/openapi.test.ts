import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { readFieldTexts } from '../server/compose/api-texts.ts'
import { openapiFile } from './openapi-document.ts'

interface Parameter {
  readonly name: string
  readonly description?: string
  readonly in: string
  readonly required?: boolean
  readonly example?: unknown
  readonly schema: { readonly default?: unknown }
}
interface Reference {
  readonly $ref: string
}
interface Answer {
  readonly description: string
  readonly headers?: Readonly<Record<string, object>>
  readonly content?: Readonly<Record<string, Media>>
}
interface BodySchema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, { readonly readOnly?: boolean }>>
  readonly examples?: readonly unknown[]
}
interface Media {
  readonly schema: BodySchema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}
interface Operation {
  readonly operationId?: string
  readonly tags?: readonly string[]
  readonly summary?: string
  readonly description?: string
  readonly parameters?: readonly (Parameter | Reference)[]
  readonly requestBody?: {
    readonly required?: boolean
    readonly content: Readonly<Record<string, Media>>
  }
  readonly responses: Readonly<Record<string, Answer | Reference>>
  readonly security?: readonly object[]
}
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>
interface Document {
  readonly openapi: string
  readonly info: { readonly title?: string }
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Paths
  readonly webhooks: Paths
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>
}

const text = readFileSync(join(import.meta.dirname, '..', openapiFile), 'utf8')
const document = JSON.parse(text) as Document
const problemsOf = async (specification: object): Promise<unknown> =>
  (await new Validator().validate({ ...specification })).errors ?? []

/** What a reference leads to, or the thing itself. */
const follow = <T extends object>(value: T | Reference): T => {
  if (!('$ref' in value)) return value
  const [, , kind = '', name = ''] = value.$ref.split('/')
  return document.components[kind]?.[name] as T
}

const named = (paths: Paths): [string, Operation][] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): [string, Operation] => [`${method} ${path}`, operation]),
  )
const routes = named(document.paths)
const operations = [...routes, ...named(document.webhooks)]
/** The operations that lack something, by name. */
const lacking = (list: readonly [string, Operation][], has: (operation: Operation) => boolean): string[] =>
  list.filter(([, operation]) => !has(operation)).map(([name]) => name)

const hasParameter = ({ parameters = [] }: Operation, wanted: string): boolean =>
  parameters.map(follow).some(({ name }) => name === wanted)

describe('the OpenAPI document', () => {
  test('is valid OpenAPI 3.1', async () => {
    expect(document.openapi).toMatch(/^3\.1\./)
    expect(await problemsOf(document)).toEqual([])
    expect(await problemsOf({ ...document, info: { title: 'without a version' } })).not.toEqual([])
  })

  test('has only schemas that are JSON Schema 2020-12, with examples that fit them', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true })
    addFormats.default(ajv)
    const { components, ...rest } = JSON.parse(text.replaceAll('"#/components/', '"api#/components/')) as Document
    ajv.addSchema({ $id: 'api', components })
    const schemas = schemasIn({ ...rest, components, named: mapSchemas(components['schemas'] ?? {}) })
    expect(schemas.length).toBeGreaterThan(100)
    expect(schemas.filter(({ examples }) => examples.length > 0).length).toBeGreaterThan(50)
    const problems = schemas.flatMap(({ at, schema, examples }) => {
      const fits = ajv.compile(schema)
      return examples.filter((example) => !fits(example)).map((example) => `${at}: ${JSON.stringify(example)}`)
    })
    expect(problems).toEqual([])
  })

  test('has for every JSON body an example that is valid and says nothing that is ignored', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true })
    addFormats.default(ajv)
    const { components } = JSON.parse(text.replaceAll('"#/components/', '"api#/components/')) as Document
    ajv.addSchema({ $id: 'api', components })
    const bodies = routes.flatMap(([name, { requestBody }]) => {
      const media = requestBody?.content['application/json']
      return media === undefined ? [] : [{ name, schema: follow<BodySchema>(media.schema), media }]
    })
    expect(bodies.length).toBeGreaterThan(40)
    const problems = bodies.flatMap(({ name, schema, media }) => {
      const fits = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"api#/components/')))
      const ignored = namesOf(schema).filter((field) => schema.properties?.[field]?.readOnly === true)
      const beside = media.example === undefined ? Object.values(media.examples ?? {}) : [{ value: media.example }]
      const examples = [...(schema.examples ?? []), ...beside.map(({ value }) => value)]
      const isEmpty = namesOf(schema).length === ignored.length
      return [
        ...(examples.length > 0 || isEmpty ? [] : [`${name} has no example`]),
        ...examples.filter((example) => !fits(example)).map((example) => `${name}: ${JSON.stringify(example)}`),
        ...examples.filter((example) => ignored.some((field) => Object.hasOwn(Object(example), field))),
      ]
    })
    expect(problems).toEqual([])
  })

  test('shows for every id of a path of organizations one that can be sent', () => {
    const ids = routes
      .filter(([name]) => name.includes('/api/v1/organizations/'))
      .flatMap(([, { parameters = [] }]) => parameters.map(follow))
      .filter((parameter) => parameter.in === 'path' && parameter.name !== 'userId')
    expect(ids.length).toBeGreaterThan(50)
    const examples = new Map(ids.map(({ name, example }) => [name, example]))
    for (const example of examples.values()) expect(example).toMatch(/^[0-9a-f]{24}$/)
    expect(new Set(examples.values()).size).toBe(examples.size)
  })

  test('does not demand what can be left out: parameters with a default, and bodies that can be null', () => {
    const demanded = routes.filter(
      ([, { parameters = [], requestBody }]) =>
        parameters.map(follow).some(({ required, schema }) => required === true && schema.default !== undefined) ||
        (requestBody?.required === true && requestBody.content['application/json']?.schema.type?.includes('null')),
    )
    expect(demanded.map(([name]) => name)).toEqual([])
    const [, list] = routes.find(([, { operationId }]) => operationId === 'listPackages') ?? []
    expect(list?.parameters?.map(follow).find(({ name }) => name === 'limit')?.schema.default).toBe(10)
    const [, pack] = routes.find(([, { operationId }]) => operationId === 'packPackage') ?? []
    expect(pack?.requestBody).toMatchObject({ required: false })
  })

  test('names, tags and summarizes every operation', () => {
    expect(operations.length).toBeGreaterThan(40)
    expect(lacking(operations, ({ operationId }) => /^[a-z]\w+$/.test(operationId ?? ''))).toEqual([])
    expect(lacking(operations, ({ tags }) => tags?.length === 1)).toEqual([])
    expect(lacking(operations, ({ summary }) => summary !== undefined && summary !== '')).toEqual([])
  })

  test('describes every operation, parameter and named schema', () => {
    const isText = (description = ''): boolean => /\S\s+\S/.test(description)
    expect(lacking(operations, ({ description }) => isText(description))).toEqual([])
    const parameters = routes.flatMap(([name, { parameters: given = [] }]) =>
      given.map(follow).map((parameter) => ({ of: `${name} ${parameter.name}`, ...parameter })),
    )
    expect(parameters.length).toBeGreaterThan(500)
    expect(parameters.filter(({ description }) => !isText(description)).map(({ of }) => of)).toEqual([])
    const schemas = Object.entries(document.components['schemas'] ?? {}) as [string, { description?: string }][]
    expect(schemas.filter(([, { description }]) => !isText(description)).map(([name]) => name)).toEqual([])
  })

  test('describes every field of bodies, answers and events', () => {
    const fields = fieldsIn(document)
    expect(fields.length).toBeGreaterThan(1_700)
    const without = fields.filter(({ field }) => field.$ref === undefined && !field.description)
    expect(without.map(({ component, name }) => `${component}.${name}`)).toEqual([])
  })

  test('has every text for fields in use', () => {
    const used = fieldsIn(document).flatMap(({ component, name, field: { description } }) => {
      const key = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
      return [`${key}: ${description}`, `${component}.${key}: ${description}`]
    })
    const known = new Set(used)
    const texts = Object.entries(readFieldTexts()).map((entry) => entry.join(': '))
    expect(texts.filter((said) => !known.has(said))).toEqual([])
  })

  test('has one text for a name', () => {
    const topics = JSON.parse(readFileSync('server/compose/field-texts.json', 'utf8')) as Record<string, object>
    const names = Object.values(topics).flatMap((topic) => Object.keys(topic).flatMap((all) => all.split(', ')))
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  })

  test('has remote ids of products of one type everywhere: integers, and texts where they are none', () => {
    const fields = fieldsIn(document).filter(({ name }) => name === 'product_remote_id')
    expect(fields.length).toBeGreaterThan(7)
    const others = fields.filter(({ field: { type } }) => JSON.stringify(type) !== '["integer","string"]')
    expect(others.map(({ component }) => component)).toEqual([])
  })

  test('uses no operationId twice', () => {
    const ids = operations.map(([, { operationId }]) => operationId)
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  })

  test('says of every operation of the API how it can fail', () => {
    const ofApi = routes.filter(([, { tags }]) => tags?.includes('Operations') !== true)
    expect(ofApi.length).toBeGreaterThan(30)
    const expected = ({ security }: Operation): string[] => [
      '400',
      '500',
      '503',
      ...(security?.length === 0 ? [] : ['401']),
    ]
    expect(lacking(ofApi, (one) => expected(one).every((code) => code in one.responses))).toEqual([])
    expect(lacking(routes, ({ responses }) => Object.keys(responses).some((code) => code.startsWith('2')))).toEqual([])
  })

  test('says of no operation that it can fail in a way that it cannot', () => {
    const withStatus = (status: string) => routes.filter(([, { responses }]) => status in responses)
    const isWithoutBody = ([, { requestBody }]: [string, Operation]): boolean => requestBody === undefined
    expect([...withStatus('413'), ...withStatus('415')].filter(isWithoutBody)).toEqual([])
    expect(withStatus('412').filter(([name]) => name.startsWith('get '))).toEqual([])
    const otherConflicts = withStatus('409').filter(([, operation]) => !hasParameter(operation, 'Idempotency-Key'))
    expect(new Set(otherConflicts.map(([, { operationId }]) => operationId))).toEqual(
      new Set([
        'getFlowHealth',
        'getFlowSecret',
        'revokePreviousFlowSecrets',
        'updateChannelErrorReport',
        'updateErrorReport',
      ]),
    )
    const isThrottled =
      /^(login|createToken|createCookieSession|updateMe|resetPassword|logInToFlows|export\w+|\w*Basket\w*|\w+MyQuotation\w*|sendApprovalRequestQuotation|streamChanges)$/
    expect(withStatus('429').length).toBeGreaterThan(10)
    expect(withStatus('429').filter(([, { operationId = '' }]) => !isThrottled.test(operationId))).toEqual([])
  })

  test('says what is in every error, and lists the codes of broken rules', () => {
    const errors = routes.flatMap(([name, { responses }]) =>
      Object.entries(responses).flatMap(([status, answer]) =>
        /^[45]/.test(status) ? Object.values(follow(answer).content ?? {}).map(({ schema }) => ({ name, schema })) : [],
      ),
    )
    expect(errors.length).toBeGreaterThan(1_000)
    const isTyped = (schema: object): boolean => ['type', 'anyOf'].some((keyword) => keyword in follow(schema))
    expect(errors.filter(({ schema }) => !isTyped(schema)).map(({ name }) => name)).toEqual([])
    expect(document.components['schemas']?.['BadRequest']).toMatchObject({
      anyOf: [{ $ref: '#/components/schemas/BrokenRule' }, { $ref: '#/components/schemas/FieldErrors' }],
    })
    expect(document.components['schemas']?.['ErrorCode']).toMatchObject({
      enum: expect.arrayContaining(['insufficient_stock', 'not_sent', 'flow_inbound']),
    })
  })

  test('says which headers answers have', () => {
    const answers = routes.flatMap(([name, operation]) =>
      Object.entries(operation.responses).map(([status, answer]) => {
        const { headers = {}, content = {} } = follow(answer)
        return { name, status, operation, headers, schema: content['application/json']?.schema }
      }),
    )
    const withoutHeader = (header: string, isConcerned: (answer: (typeof answers)[number]) => boolean): string[] => {
      const concerned = answers.filter(isConcerned)
      expect(concerned.length).toBeGreaterThan(5)
      return concerned.filter(({ headers }) => !(header in headers)).map(({ name, status }) => `${name} ${status}`)
    }
    expect(withoutHeader('X-Request-Id', () => true)).toEqual([])
    for (const header of ['Retry-After', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'])
      expect(withoutHeader(header, ({ status }) => status === '429')).toEqual([])
    for (const header of ['X-Total-Count', 'Link'])
      expect(
        withoutHeader(
          header,
          ({ operation, status, schema }) =>
            status === '200' && hasParameter(operation, 'page') && schema?.type === 'array',
        ),
      ).toEqual([])
    expect(
      withoutHeader(
        'Idempotency-Replayed',
        ({ operation, status }) => status.startsWith('2') && hasParameter(operation, 'Idempotency-Key'),
      ),
    ).toEqual([])
    expect(
      withoutHeader(
        'ETag',
        ({ status, schema }) => status.startsWith('2') && JSON.stringify(schema ?? '').endsWith('/QuotationDetail"}'),
      ),
    ).toEqual([])
    const located = answers.filter(({ headers }) => 'Location' in headers).map(({ operation }) => operation.operationId)
    expect(new Set(located)).toEqual(
      new Set([
        'addMember',
        'createDeployment',
        'createDistribution',
        'createDivision',
        'createEventType',
        'createFlow',
        'createHook',
        'createMyQuotation',
        'createOrganization',
        'createPrice',
        'createProduct',
        'createProject',
        'createProjectWebhook',
        'pingHook',
        'recoverHook',
        'retryHookEvents',
      ]),
    )
  })

  test('offers an Idempotency-Key to every POST that takes one', () => {
    const posts = routes.filter(([name, { security }]) => name.startsWith('post ') && security?.length !== 0)
    const outsideLogin = posts.filter(([name]) => !name.startsWith('post /api/v1/auth/'))
    expect(lacking(outsideLogin, (operation) => hasParameter(operation, 'Idempotency-Key'))).toEqual([])
    const others = routes.filter((route) => !outsideLogin.includes(route))
    expect(lacking(others, (operation) => !hasParameter(operation, 'Idempotency-Key'))).toEqual([])
  })

  test('says of every operation who may call it', () => {
    const described = ({ description = '', security }: Operation): boolean =>
      (security?.length === 0 ? /Needs no credential\.$/ : /For (everybody|staff|superusers).+\.$/).test(description)
    expect(lacking(routes, described)).toEqual([])
    const isOpen = ({ security }: Operation): boolean => security?.length === 0
    expect(lacking(routes, (one) => isOpen(one) === !('x-required-role' in one))).toEqual([])
    const ofPackages = document.paths['/api/v1/packages']?.['get']
    expect(ofPackages).toMatchObject({ 'x-required-role': 'staff', 'x-required-scope': 'order-management:read' })
  })

  test('describes every tag, and has no other', () => {
    const used = new Set(operations.flatMap(([, { tags = [] }]) => tags))
    expect(new Set(document.tags.map(({ name }) => name))).toEqual(used)
    expect(document.tags.filter(({ description }) => !/^[A-Z].+\.$/.test(description))).toEqual([])
  })

  test('names every JSON body and every object that is answered', () => {
    const schemas = routes.flatMap(([name, { requestBody, responses }]) =>
      [
        requestBody,
        ...Object.entries(responses).map(([status, answer]) => (status.startsWith('2') ? follow(answer) : undefined)),
      ]
        .map((part) => part?.content?.['application/json']?.schema as undefined | { $ref?: string; items?: object })
        .filter((schema) => schema !== undefined)
        .map((schema) => ({ name, schema })),
    )
    const isNamed = (schema: { readonly $ref?: string; readonly items?: object }): boolean =>
      schema.$ref !== undefined ||
      (schema.items !== undefined && ('$ref' in schema.items || !('properties' in schema.items)))
    expect(schemas.length).toBeGreaterThan(150)
    expect(schemas.filter(({ schema }) => !isNamed(schema)).map(({ name }) => name)).toEqual([])
  })

  test('has no field that is ignored, no free object that looks empty, and no bytes without a type', () => {
    const bodies = routes.flatMap(([, { requestBody }]) => Object.values(requestBody?.content ?? {}))
    const ofBodies = bodies.map(({ schema }) => JSON.stringify(follow(schema)))
    expect(ofBodies.filter((schema) => schema.includes('"readOnly":true'))).toEqual([])
    expect(bodies.filter(({ schema }) => !['type', 'anyOf', '$ref'].some((keyword) => keyword in schema))).toEqual([])
    expect(text).not.toMatch(/"properties": \{\}(?!,\s+"additionalProperties": false)/)
  })

  test('says of every answer what it means', () => {
    const described = ({ description }: Answer): boolean => /^[A-Z].{3}/.test(description)
    expect(lacking(operations, ({ responses }) => Object.values(responses).map(follow).every(described))).toEqual([])
    expect(text).not.toContain('Default Response')
  })

  test('refers only to components that there are, and has none that nothing refers to', () => {
    const used = new Set([...text.matchAll(/"\$ref": "#\/components\/(\w+\/[\w-]+)"/g)].map(([, path]) => path))
    const { securitySchemes: _, ...components } = document.components
    const kept = Object.entries(components).flatMap(([kind, all]) => Object.keys(all).map((name) => `${kind}/${name}`))
    expect(kept.length).toBeGreaterThan(100)
    expect(used).toEqual(new Set(kept))
  })

  test('writes no object of four fields or more twice: give the schema a title', () => {
    const objects = objectsIn(document)
    expect(objects.length).toBeGreaterThan(80)
    expect(objects.filter((schema, index) => objects.indexOf(schema) !== index)).toEqual([])
  })
})

const namesOf = ({ properties = {} }: BodySchema): string[] => Object.keys(properties)

interface Field {
  readonly component: string
  readonly name: string
  readonly field: { readonly description?: string; readonly $ref?: string; readonly type?: unknown }
}

/** Every field of every schema. Conditions and examples describe none. */
const fieldsIn = (value: unknown, component = ''): Field[] => {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([keyword, child]): Field[] => {
    if (['if', 'then', 'else', 'example', 'examples'].includes(keyword)) return []
    if (keyword === 'schemas')
      return Object.entries(child as object).flatMap(([name, schema]) => fieldsIn(schema, name))
    if (keyword !== 'properties') return fieldsIn(child, component)
    const fields = Object.entries(child as Readonly<Record<string, Field['field']>>)
    return fields.flatMap(([name, field]) => [{ component, name, field }, ...fieldsIn(field, component)])
  })
}

interface Found {
  readonly at: string
  readonly schema: object
  readonly examples: readonly unknown[]
}

/** Every schema of a parameter or a body, with the examples beside it and in it. */
const schemasIn = (value: unknown, at = ''): Found[] => {
  if (typeof value !== 'object' || value === null) return []
  const { schema, example } = value as { schema?: { examples?: unknown[] }; example?: unknown }
  if (schema !== undefined && !at.endsWith('/properties')) {
    const examples = [...(schema.examples ?? []), ...(example === undefined ? [] : [example])]
    return [{ at, schema, examples }]
  }
  return Object.entries(value).flatMap(([name, child]) => schemasIn(child, `${at}/${name}`))
}

const mapSchemas = (schemas: Readonly<Record<string, object>>): Record<string, { schema: object }> =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, { schema }]))

/** Every schema of an object with at least four fields, as text. */
const objectsIn = (value: unknown): string[] => {
  if (typeof value !== 'object' || value === null) return []
  const { type, properties = {} } = value as { type?: unknown; properties?: object }
  const isLarge = type === 'object' && Object.keys(properties).length >= 4
  return [...(isLarge ? [JSON.stringify(value)] : []), ...Object.values(value).flatMap(objectsIn)]
}
