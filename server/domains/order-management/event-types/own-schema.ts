import { runBounded } from '#platform/bounded-run.ts'
import { canRunPatterns } from '#platform/can-run-patterns.ts'
import { fieldErrors, type FieldCheck } from '#platform/http/errors/field-errors.ts'
import { compileOwnSchema, schemaErrors } from '#platform/http/own-schemas.ts'
import type { Problems } from '#platform/problems.ts'
import type { EventTypeFields, JsonObject } from './event-type.ts'

/** Of a schema and of an example, as JSON. */
const maxBytes = 65_536
/** To check data by schemas of one's own, an example or all of a request; checking what is usual takes a thousandth of it. */
export const maxCheckMs = 100

const dialect = 'https://json-schema.org/draft/2020-12/schema'

/** Reports what is wrong with a schema and an example that an event type is to have. */
export const checkSchemaAndExample = async (
  { schema, example }: Pick<EventTypeFields, 'schema' | 'example'>,
  problems: Problems,
): Promise<void> => {
  for (const [field, value] of Object.entries({ schema, example })) {
    if (Buffer.byteLength(JSON.stringify(value)) > maxBytes) return problems.add(field, 'Use at most 64 KiB.')
  }
  if (schema === null) return
  if ((schema['$schema'] ?? dialect) !== dialect || '$async' in schema)
    return problems.add('schema', 'Expected JSON Schema 2020-12.')
  addAll(problems, 'schema', fieldErrors(schemaErrors(schema) ?? []))
  problems.throwIfAny()
  const found = await tryOut(schema, example)
  if (typeof found === 'string') problems.add('schema', found)
  else if (example !== null) addAll(problems, 'example', found)
}

/** Faults of the example, or what is wrong with the schema. */
const tryOut = async (schema: JsonObject, example: JsonObject | null): Promise<ReturnType<FieldCheck> | string> => {
  try {
    const { check, patterns } = compileOwnSchema(schema)
    if (!(await canRunPatterns(patterns))) return 'A pattern of the schema cannot be used.'
    const tried = runBounded(maxCheckMs, () => {
      // V8 refuses what is too large for it at the first use, for each width of characters.
      for (const pattern of patterns) for (const text of ['', '\u{1F600}']) pattern.test(text)
      return { faults: check(example ?? {}) }
    })
    return tried === undefined ? 'The schema takes too long.' : tried.faults
  } catch (error) {
    // Thrown by the compiler: a reference to another document, or a regular expression that is none or too large.
    return `The schema cannot be used: ${(error as Error).message}.`
  }
}

const addAll = (problems: Problems, path: string, found: ReturnType<FieldCheck> = {}): void => {
  for (const [field, messages] of Object.entries(found))
    for (const message of messages) problems.add(field === 'non_field_errors' ? path : `${path}.${field}`, message)
}
