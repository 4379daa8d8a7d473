import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readExamples } from '../../server/compose/api-texts.ts'
import { openapiFile } from '../openapi-document.ts'

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: unknown
}
interface Answer {
  readonly content?: Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>
}
interface Operation {
  readonly operationId: string
  readonly responses: Readonly<Record<string, Answer>>
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const document = JSON.parse(readFileSync(join(import.meta.dirname, '../..', openapiFile), 'utf8')) as Document
const answers = Object.values(document.paths)
  .flatMap((methods) => Object.values(methods))
  .flatMap(({ operationId, responses }) =>
    Object.entries(responses).flatMap(([status, { content }]) => {
      const media = content?.['application/json']
      return media === undefined || !status.startsWith('2') ? [] : [{ name: `${operationId} ${status}`, ...media }]
    }),
  )
// A new example: remove the old one, and run `npm run docs:examples --` with the tests of the operation.

test('every success with JSON has an answer of a test as its example', () => {
  expect(answers.filter(({ example }) => example === undefined).map(({ name }) => name)).toEqual([])
})

test('no example has a field that its schema does not name, and none is of an operation that is gone', () => {
  expect(answers.flatMap(({ name, schema, example }) => unnamed(schema, example, name))).toEqual([])
  const known = new Set(answers.map(({ name }) => name))
  const names = Object.entries(readExamples()).flatMap(([id, all]) =>
    Object.keys(all).map((status) => `${id} ${status}`),
  )
  expect(names.filter((name) => !known.has(name))).toEqual([])
  expect(names.length).toBeGreaterThan(200)
})

test('no example shows a secret', () => {
  expect(JSON.stringify(readExamples())).not.toMatch(/(wbl|wbk|wbr|whsec)_(?!…)\w{12}|signature=(?!…)\w/)
})

/** The fields of a value that its schema does not name. */
const unnamed = (schema: Schema, value: unknown, at: string): string[] => {
  const { anyOf, items, properties, additionalProperties, type } = follow(schema)
  if (typeof value !== 'object' || value === null || type === 'null') return []
  if (anyOf !== undefined) {
    const fits = anyOf.filter((option) => follow(option).type !== 'null').map((option) => unnamed(option, value, at))
    return fits.toSorted((one, other) => one.length - other.length)[0] ?? []
  }
  if (Array.isArray(value)) return value.flatMap((item) => unnamed(items ?? {}, item, `${at}[]`))
  if (properties === undefined || additionalProperties === true) return []
  return Object.entries(value).flatMap(([name, child]) => {
    const field = properties[name]
    return field === undefined ? [`${at}.${name}`] : unnamed(field, child, `${at}.${name}`)
  })
}

const follow = (schema: Schema): Schema =>
  schema.$ref === undefined ? schema : (document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {})
