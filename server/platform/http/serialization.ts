import fastJsonStringify from 'fast-json-stringify'
import type { FastifyInstance } from 'fastify'

type Serialize = (value: unknown) => string

const compiled = new WeakMap<object, Serialize>()

/**
 * Answers are written by their JSON Schema. Each schema object is compiled once: most routes share those of their errors,
 * and compiling them again for every route was half of the time it takes to build the application.
 */
export const serializeBySchema = (app: FastifyInstance): void => {
  app.setSerializerCompiler(({ schema }) => serializerOf(schema as object))
}

const serializerOf = (schema: object): Serialize => {
  const known = compiled.get(schema)
  if (known !== undefined) return known
  const serialize = fastJsonStringify(schema) as Serialize
  compiled.set(schema, serialize)
  return serialize
}
