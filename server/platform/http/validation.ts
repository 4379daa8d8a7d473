import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifyError, FastifyInstance } from 'fastify'

/** One complaint of the validator, as the framework passes it on. */
export type ValidationError = NonNullable<FastifyError['validation']>[number]

/** Checks a value and keeps its complaints on itself, as the framework expects. */
interface Validate {
  (value: unknown): boolean
  errors?: ValidationError[] | null
}

const rules = { removeAdditional: false, useDefaults: true, strict: false, allowUnionTypes: true } as const

/** A validator that stops at the first fault, and one that finds them all. */
const makeBoth = (coerceTypes: false | 'array') =>
  [false, true].map((allErrors) => {
    const ajv = new Ajv({ ...rules, coerceTypes, allErrors })
    addFormats.default(ajv, ['date-time', 'date', 'uuid', 'email', 'uri'])
    return ajv
  }) as [Ajv, Ajv]

/** Bodies are taken as they are: "1" is not 1, and a field nobody knows is an error. */
const bodies = makeBoth(false)
/** Everything in a URL is text, so numbers, booleans and lists of one are read from it. */
const texts = makeBoth('array')

/** Values in a body up to which all of its faults are reported. In a larger one finding them all would hold up everybody else. */
const fullyTold = 1_000

/** Validates request bodies strictly and parameters with conversion, by JSON Schema. */
export const validateStrictly = (app: FastifyInstance): void => {
  app.setValidatorCompiler(({ schema, httpPart }) =>
    httpPart === 'body' ? bodyValidator(schema as object) : textValidator(schema as TextSchema),
  )
}

/** What checks a body, or a part of one. */
export const bodyValidator = (schema: object): Validate => validator(bodies, schema)

/** Schemas are compiled when they are first needed: all of them at start took a third of the time until it was ready. */
const validator = ([first, all]: [Ajv, Ajv], schema: object): Validate => {
  const validate: Validate = (value) => {
    // Ajv keeps what it compiled, by schema object.
    const findsFirst = first.compile(schema)
    if (findsFirst(value)) return true
    const findsAll = isSmall(value) ? all.compile(schema) : findsFirst
    const { errors } = findsAll(value) ? findsFirst : findsAll
    validate.errors = errors as ValidationError[]
    return false
  }
  return validate
}

const isSmall = (root: unknown): boolean => {
  const queue = [root]
  let count = 0
  for (let value = queue.pop(); value !== undefined; value = queue.pop()) {
    if (typeof value !== 'object' || value === null) continue
    const children: unknown[] = Object.values(value)
    count += children.length
    if (count > fullyTold) return false
    queue.push(...children)
  }
  return true
}

interface TextSchema {
  readonly properties?: Readonly<Record<string, PropertySchema>>
}
interface PropertySchema {
  readonly type?: string
  readonly items?: { readonly type?: string }
}

/** The only way to write an integer in a URL: `0x10`, `1e1`, `+1` and ` 1` would be other names for the same thing. */
const integerText = /^(0|-?[1-9]\d*)$/

/** As clients in Python and PHP write booleans (contract, section 1). */
const truthTexts: Readonly<Record<string, string>> = { True: 'true', False: 'false', '1': 'true', '0': 'false' }

const textValidator = (schema: TextSchema): Validate => {
  const convert = validator(texts, schema)
  const namesOf = (type: string): string[] =>
    Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
      property.type === type || property.items?.type === type ? [name] : [],
    )
  const integers = namesOf('integer')
  const booleans = namesOf('boolean')

  const validate: Validate = (value) => {
    const given = value as Record<string, unknown>
    const odd = integers.filter((name) =>
      [given[name] ?? []].flat().some((text) => typeof text === 'string' && !integerText.test(text)),
    )
    for (const name of booleans) if (name in given) given[name] = truthTexts[String(given[name])] ?? given[name]
    if (odd.length === 0 && convert(value)) return true
    validate.errors = odd.length === 0 ? (convert.errors ?? []).map(withoutPosition) : odd.map(notAnInteger)
    return false
  }
  return validate
}

/** What is repeated in a URL has a name, and no positions. */
const withoutPosition = (error: ValidationError): ValidationError => ({
  ...error,
  instancePath: error.instancePath.replace(/^(\/[^/]*)\/.*/, '$1'),
})

const notAnInteger = (name: string): ValidationError => ({
  keyword: 'type',
  instancePath: `/${name}`,
  schemaPath: `#/properties/${name}/type`,
  params: { type: 'integer' },
  message: 'must be integer',
})
