import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { fieldErrors, type FieldCheck } from './errors/field-errors.ts'
import type { ValidationError } from './validation.ts'

/** The time to compile grows faster than the number of schemas within a schema; these take a fifth of a second at most. */
const maxSchemas = 1_200
/** V8 refuses long patterns only when they are used. */
const maxPatternLength = 2_000
/** Complaints about one value that are put into words. */
const maxComplaints = 1_000

/** Keywords and formats that it does not know say nothing, as JSON Schema has it. */
const options = { strict: false, logger: false, allErrors: true } as const

let metaSchema: Ajv2020 | undefined

/** What is wrong with a JSON Schema 2020-12 by its own schema; undefined when nothing is. */
export const schemaErrors = (schema: object): readonly ValidationError[] | undefined => {
  metaSchema ??= new Ajv2020({ ...options, addUsedSchema: false })
  return metaSchema.validateSchema(schema) === true ? undefined : (metaSchema.errors as ValidationError[])
}

/** A schema that is not ours, compiled. */
export interface OwnSchema {
  /** Changes nothing of what it checks. */
  readonly check: FieldCheck
  /** All patterns of the schema. */
  readonly patterns: readonly RegExp[]
}

/** The URI of a schema that names none: it can refer to itself, and not to what every object has, such as `constructor`. */
const defaultId = 'https://waybill.invalid/schema'

/**
 * Compiles a JSON Schema 2020-12 that is not ours. What bounds the time is the size of the schema: `runBounded` would leave
 * the compiler in disorder.
 * @throws Error for a schema that cannot be used.
 */
export const compileOwnSchema = (schema: object): OwnSchema => {
  const schemas = schemasIn(schema)
  if (schemas.length > maxSchemas) throw new Error(`more than ${maxSchemas.toLocaleString('en')} schemas are in it`)
  const patterns: RegExp[] = []
  const regExp = (pattern: string, flags: string): RegExp => {
    if (pattern.length > maxPatternLength)
      throw new Error(`a pattern has more than ${maxPatternLength.toLocaleString('en')} characters`)
    const made = new RegExp(pattern, flags)
    patterns.push(made)
    return made
  }
  // A compiler for each schema, so that two can have the same $id. It copies nothing that is referred to, and leaves the
  // code as it is, which both can take minutes.
  const ajv = new Ajv2020({
    ...options,
    meta: false,
    validateSchema: false,
    inlineRefs: false,
    code: { optimize: false, process: compiledAtOnce, regExp: Object.assign(regExp, { code: 'new RegExp' }) },
  })
  addFormats.default(ajv)
  ajv.addSchema(schema, defaultId)
  const validate = ajv.getSchema(defaultId)
  const known = new Set(schemas)
  for (const [uri, target] of Object.entries(validate?.schemaEnv.root.refs ?? {}))
    if (!known.has(typeof target === 'object' ? target.schema : target))
      throw new Error(`can't resolve reference ${uri}`)
  const check: FieldCheck = (value) => {
    if (validate?.(value) === true) return undefined
    const found = fieldErrors(((validate?.errors ?? []) as ValidationError[]).slice(0, maxComplaints))
    // The rules of bodies leave some complaints out, which a schema can have alone.
    return Object.keys(found).length > 0 ? found : { non_field_errors: ['This is not as its schema says.'] }
  }
  return { check, patterns }
}

/** All that can be a schema: objects and booleans at any depth. */
const schemasIn = (schema: object): readonly unknown[] => {
  const parts: unknown[] = [schema]
  for (const part of parts)
    if (typeof part === 'object' && part !== null) parts.push(...(Object.values(part) as unknown[]))
  return parts.filter((part) => (typeof part === 'object' && !Array.isArray(part)) || typeof part === 'boolean')
}

/** V8 compiles a function in brackets when it meets it. Else it would at the first call, in the time that is meant for data. */
const compiledAtOnce = (code: string): string => `${code.replace('return function', 'return (function')})`
