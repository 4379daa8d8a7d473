import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { openapiFile } from './openapi-document.ts'

interface Operation {
  readonly operationId?: string
  readonly tags?: readonly string[]
  readonly summary?: string
  readonly parameters?: readonly {
    readonly name: string
    readonly required?: boolean
    readonly schema: { readonly default?: unknown }
  }[]
  readonly requestBody?: {
    readonly required?: boolean
    readonly content: Readonly<Record<string, { readonly schema: { readonly type?: string | readonly string[] } }>>
  }
  readonly responses: Readonly<Record<string, { readonly description: string }>>
}
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>
interface Document {
  readonly openapi: string
  readonly info: { readonly title?: string }
  readonly paths: Paths
  readonly webhooks: Paths
}

const text = readFileSync(join(import.meta.dirname, '..', openapiFile), 'utf8')
const document = JSON.parse(text) as Document
const problemsOf = async (specification: object): Promise<unknown> =>
  (await new Validator().validate({ ...specification })).errors ?? []

const named = (paths: Paths): [string, Operation][] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): [string, Operation] => [`${method} ${path}`, operation]),
  )
const routes = named(document.paths)
const operations = [...routes, ...named(document.webhooks)]
/** The operations that lack something, by name. */
const lacking = (list: readonly [string, Operation][], has: (operation: Operation) => boolean): string[] =>
  list.filter(([, operation]) => !has(operation)).map(([name]) => name)

describe('the OpenAPI document', () => {
  test('is valid OpenAPI 3.1', async () => {
    expect(document.openapi).toMatch(/^3\.1\./)
    expect(await problemsOf(document)).toEqual([])
    expect(await problemsOf({ ...document, info: { title: 'without a version' } })).not.toEqual([])
  })

  test('has only schemas that are JSON Schema 2020-12, with examples that fit them', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true })
    addFormats.default(ajv)
    const schemas = schemasIn(document)
    expect(schemas.length).toBeGreaterThan(100)
    const problems = schemas.flatMap(({ at, schema, examples }) => {
      const fits = ajv.compile(schema)
      return examples.filter((example) => !fits(example)).map((example) => `${at}: ${JSON.stringify(example)}`)
    })
    expect(problems).toEqual([])
  })

  test('does not demand what can be left out: parameters with a default, and bodies that can be null', () => {
    const demanded = routes.filter(
      ([, { parameters = [], requestBody }]) =>
        parameters.some(({ required, schema }) => required === true && schema.default !== undefined) ||
        (requestBody?.required === true && requestBody.content['application/json']?.schema.type?.includes('null')),
    )
    expect(demanded.map(([name]) => name)).toEqual([])
    const [, list] = routes.find(([, { operationId }]) => operationId === 'listPackages') ?? []
    expect(list?.parameters?.find(({ name }) => name === 'limit')?.schema.default).toBe(10)
    const [, pack] = routes.find(([, { operationId }]) => operationId === 'packPackage') ?? []
    expect(pack?.requestBody).toMatchObject({ required: false })
  })

  test('names, tags and summarizes every operation', () => {
    expect(operations.length).toBeGreaterThan(40)
    expect(lacking(operations, ({ operationId }) => /^[a-z]\w+$/.test(operationId ?? ''))).toEqual([])
    expect(lacking(operations, ({ tags }) => tags?.length === 1)).toEqual([])
    expect(lacking(operations, ({ summary }) => summary !== undefined && summary !== '')).toEqual([])
  })

  test('uses no operationId twice', () => {
    const ids = operations.map(([, { operationId }]) => operationId)
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  })

  test('says of every operation of the API how it can fail', () => {
    const ofApi = routes.filter(([, { tags }]) => tags?.includes('Operations') !== true)
    expect(ofApi.length).toBeGreaterThan(30)
    expect(lacking(ofApi, ({ responses }) => ['400', '401', '429', '500'].every((code) => code in responses))).toEqual(
      [],
    )
    expect(lacking(routes, ({ responses }) => Object.keys(responses).some((code) => code.startsWith('2')))).toEqual([])
  })
})

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
