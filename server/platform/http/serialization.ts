import fastJsonStringify from 'fast-json-stringify'
import type { FastifyInstance } from 'fastify'

type Serialize = (value: unknown) => string

const compiled = new WeakMap<object, Serialize>()

/**
 * Answers are written by their JSON Schema. Each schema object is compiled once, with its first answer: most routes share
 * those of their errors, and the others may never be asked.
 */
export const serializeBySchema = (app: FastifyInstance): void => {
  app.setSerializerCompiler(
    ({ schema }) =>
      (value) =>
        serializerOf(schema)(value),
  )
}

const serializerOf = (schema: object): Serialize => {
  const known = compiled.get(schema)
  if (known !== undefined) return known
  const serialize = fastJsonStringify(nullable(schema) as object) as Serialize
  compiled.set(schema, serialize)
  return serialize
}

/**
 * A schema with every “this or null” in it as one schema that is nullable: to write a value of a union, it is validated
 * against one member after the other first, and a list of 100 reports has 1,000 such values.
 */
export const nullable = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(nullable)
  if (typeof schema !== 'object' || schema === null) return schema
  const { anyOf, ...rest } = schema as Readonly<Record<string, unknown>>
  const other = Array.isArray(anyOf) && anyOf.length === 2 && isNull(anyOf[1]) ? (anyOf[0] as object) : undefined
  const single = other !== undefined && 'type' in other ? { ...rest, ...other, nullable: true } : schema
  return Object.fromEntries(Object.entries(single).map(([name, value]) => [name, nullable(value)]))
}

const isNull = (schema: unknown): boolean =>
  typeof schema === 'object' && schema !== null && 'type' in schema && schema.type === 'null'
