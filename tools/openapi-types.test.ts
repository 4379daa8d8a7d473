import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openapiFile } from './openapi-document.ts'

// A program that reads a field of one name by one type reads it everywhere.

/** A schema, and where it stands. */
interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | boolean
}
interface Answer {
  readonly $ref?: string
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>
}
interface Document {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly responses: Readonly<Record<string, Answer>> }>>>
  >
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}
const document = JSON.parse(readFileSync(join(import.meta.dirname, '..', openapiFile), 'utf8')) as Document

const follow = <T extends { readonly $ref?: string }>(value: T): T => {
  if (value.$ref === undefined) return value
  const [, , kind = '', name = ''] = value.$ref.split('/')
  return document.components[kind]?.[name] as T
}

interface Field {
  readonly path: string
  readonly name: string
  readonly schema: Schema
}

/** Every property within a schema. Components are walked once, wherever they stand first. */
const fieldsOf = (given: Schema, at: string, seen: Set<Schema>): Field[] => {
  const schema = follow(given)
  if (seen.has(schema)) return []
  seen.add(schema)
  const { properties = {}, anyOf = [], items, additionalProperties: more } = schema
  return [
    ...Object.entries(properties).flatMap(([name, property]) => [
      { path: `${at}.${name}`, name, schema: property },
      ...fieldsOf(property, `${at}.${name}`, seen),
    ]),
    ...anyOf.flatMap((one) => fieldsOf(one, at, seen)),
    ...(items === undefined ? [] : fieldsOf(items, `${at}[]`, seen)),
    ...(typeof more === 'object' ? fieldsOf(more, `${at}.*`, seen) : []),
  ]
}

const seen = new Set<Schema>()
const fields = Object.entries(document.paths).flatMap(([path, operations]) =>
  Object.entries(operations).flatMap(([method, { responses }]) =>
    Object.entries(responses).flatMap(([status, answer]) =>
      Object.values(follow(answer).content ?? {}).flatMap(({ schema }) =>
        schema === undefined ? [] : fieldsOf(schema, `${method} ${path} ${status}`, seen),
      ),
    ),
  ),
)

/** The types of what a field can be besides null. */
const typesOf = (given: Schema): string[] => {
  const { type = [], anyOf = [] } = follow(given)
  return [...[type].flat(), ...anyOf.flatMap(typesOf)].filter((one) => one !== 'null')
}
const others = (found: readonly Field[], ...types: string[]): string[] =>
  found.filter(({ schema }) => typesOf(schema).toSorted().join() !== types.join()).map(({ path }) => path)

/** How many reports a mapping has yet to answer. */
const isCount = ({ path }: Field): boolean => path.includes('/place_mappings')
/** What was before, and is after. */
const isPair = ({ schema }: Field): boolean => follow(schema).properties !== undefined

test('money is a text in every answer', () => {
  const named = fields.filter(({ name }) => /(^|_)(amount|price|limit|balance|remaining)$/i.test(name))
  const money = named.filter((field) => !isCount(field) && !isPair(field))
  expect(money.length).toBeGreaterThan(25)
  expect(others(money, 'string')).toEqual([])
})

test('what the commerce platform calls a product is an integer or a text in every answer', () => {
  const remoteIds = fields.filter(({ name }) => name === 'product_remote_id' || name === 'remote_id')
  expect(remoteIds.length).toBeGreaterThan(5)
  expect(others(remoteIds, 'integer', 'string')).toEqual([])
})
