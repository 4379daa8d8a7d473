import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifyError, FastifyInstance } from 'fastify'

/** One complaint of the validator, as the framework passes it on. */
export type ValidationError = NonNullable<FastifyError['validation']>[number]

const shared = {
  allErrors: true,
  removeAdditional: false,
  useDefaults: true,
  strict: false,
  allowUnionTypes: true,
} as const

/** Bodies are taken as they are: "1" is not 1, and a field nobody knows is an error. */
const bodies = new Ajv({ ...shared, coerceTypes: false })
/** Everything in a URL is text, so numbers, booleans and lists of one are read from it. */
const texts = new Ajv({ ...shared, coerceTypes: 'array' })
for (const ajv of [bodies, texts]) addFormats.default(ajv, ['date-time', 'date', 'uuid', 'email', 'uri'])

/** Validates request bodies strictly and parameters with conversion, by JSON Schema. */
export const validateStrictly = (app: FastifyInstance): void => {
  app.setValidatorCompiler(({ schema, httpPart }) => {
    const ajv = httpPart === 'body' ? bodies : texts
    return ajv.compile(schema as object)
  })
}
