import { runBounded } from '#platform/bounded-run.ts'
import { canRunPatterns } from '#platform/can-run-patterns.ts'
import { AppError } from '#platform/errors.ts'
import { fieldErrors, type FieldCheck } from '#platform/http/errors/field-errors.ts'
import { compileOwnSchema, schemaErrors } from '#platform/http/own-schemas.ts'
import type { Problems } from '#platform/problems.ts'
import type { EventType, JsonObject } from './event-type.ts'
import { usable } from './known-types.ts'

/** Of a schema and of an example, as JSON. */
const maxBytes = 65_536
/** To check data by schemas of one's own, an example or all of a request; checking what is usual takes a thousandth of it. */
export const maxCheckMs = 100

const dialect = 'https://json-schema.org/draft/2020-12/schema'

/**
 * Reports what is wrong with a schema. It can take seconds in a process of its own, so no transaction may be open.
 * @throws AppError 429 while too many others wait.
 */
export const checkSchema = async (schema: JsonObject, problems: Problems): Promise<void> => {
  if (isTooLarge(schema)) return problems.add('schema', tooLarge)
  if ((schema['$schema'] ?? dialect) !== dialect || '$async' in schema)
    return problems.add('schema', 'Expected JSON Schema 2020-12.')
  const faults = fieldErrors(schemaErrors(schema) ?? [])
  if (Object.keys(faults).length > 0) return addAll(problems, 'schema', faults)
  try {
    const { check, patterns } = compileOwnSchema(schema)
    if (!(await canRunPatterns(patterns))) return problems.add('schema', slowPattern)
    const tried = runBounded(maxCheckMs, () => {
      // V8 refuses what is too large for it at the first use, for each width of characters.
      for (const pattern of patterns) for (const text of ['', '\u{1F600}']) pattern.test(text)
      return { faults: check({}) }
    })
    if (tried === undefined) problems.add('schema', 'The schema takes too long.')
  } catch (error) {
    if (error instanceof AppError) throw error
    // Thrown by the compiler: a reference to another document, or a regular expression that is none or too large.
    problems.add('schema', `The schema cannot be used: ${(error as Error).message}.`)
  }
}

/** Reports what is wrong with an example by a schema that was checked. @throws AppError 400 where the schema cannot be used. */
export const checkExample = (
  { name, schema, example }: Pick<EventType, 'name' | 'schema' | 'example'>,
  problems: Problems,
): void => {
  if (example === null) return
  if (isTooLarge(example)) return problems.add('example', tooLarge)
  if (schema === null) return
  const tried = usable(name, () => {
    const { check } = compileOwnSchema(schema)
    return runBounded(maxCheckMs, () => ({ faults: check(example) }))
  })
  if (tried === undefined) problems.add('example', 'To check the example by the schema takes too long.')
  else addAll(problems, 'example', tried.faults)
}

const isTooLarge = (value: JsonObject): boolean => Buffer.byteLength(JSON.stringify(value)) > maxBytes
const slowPattern = 'A pattern of the schema cannot be used, or takes too long to prepare: use simpler ones.'
const tooLarge = 'Use at most 64 KiB.'

const addAll = (problems: Problems, path: string, found: ReturnType<FieldCheck> = {}): void => {
  for (const [field, messages] of Object.entries(found))
    for (const message of messages) problems.add(field === 'non_field_errors' ? path : `${path}.${field}`, message)
}
