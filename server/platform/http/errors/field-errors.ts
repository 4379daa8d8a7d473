import type { Static, TSchema } from 'typebox'
import type { Problems } from '#platform/problems.ts'
import { bodyValidator, type ValidationError } from '../validation.ts'

type Messages = Record<string, string[]>
type Params = Record<string, unknown>

/** More help nobody, and an answer would be larger than its request. */
const maxErrors = 500

/** Turns the first 500 of the validator's errors into field path → messages. Paths join names and positions with dots: `items.0.quantity`. */
export const fieldErrors = (found: readonly ValidationError[]): Messages => {
  const errors = found.slice(0, maxErrors)
  // A field can have any name, `constructor` too.
  const messages = new Map<string, Set<string>>()
  const withWords = new Set(errors.filter(({ keyword }) => keyword === 'enum').map(ruleOf))
  for (const error of errors) {
    if (isNoiseOfUnion(error)) continue
    // What is none of the words need not be told to be a string as well.
    if (error.keyword === 'type' && withWords.has(ruleOf(error))) continue
    const field = fieldOf(error)
    const said = messages.get(field) ?? new Set()
    messages.set(field, said.add(messageOf(error)))
  }
  return Object.fromEntries([...messages].map(([field, said]) => [field, [...said]]))
}

/** Each part of a union or a condition complains for itself, which says more than the whole; that null would do as well helps nobody. */
const isNoiseOfUnion = ({ keyword, params }: ValidationError): boolean =>
  keyword === 'anyOf' || keyword === 'if' || (keyword === 'type' && params['type'] === 'null')

/** The value and the schema that an error is about, of which it is one keyword. */
const ruleOf = ({ instancePath, schemaPath }: ValidationError): string =>
  `${instancePath} ${schemaPath.slice(0, schemaPath.lastIndexOf('/'))}`

/** Where the validator names a field that is not in the path, because it is missing or too much. */
const nameParameter: Record<string, string> = {
  required: 'missingProperty',
  additionalProperties: 'additionalProperty',
  unevaluatedProperties: 'unevaluatedProperty',
  dependentRequired: 'missingProperty',
}

const fieldOf = ({ keyword, instancePath, params }: ValidationError): string => {
  const path = instancePath.split('/').slice(1).map(unescapePointer)
  const extra = params[nameParameter[keyword] ?? '']
  if (typeof extra === 'string') path.push(extra)
  return path.length === 0 ? 'non_field_errors' : path.join('.')
}

const unescapePointer = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~')

const article: Record<string, string> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
}
const named = (type: unknown): string =>
  [type]
    .flat()
    .map((name) => article[String(name)] ?? String(name))
    .join(' or ')

const formatNames: Record<string, string> = {
  'date-time': 'a date and time such as 2026-11-21T09:30:00Z',
  uri: 'a URL',
  email: 'an e-mail address',
}

const patternSayings = new Map([[String.raw`\S`, 'This field may not be blank.']])
/** @returns the pattern of a schema, which errors put into these words from now on. */
export const saidAs = (words: string, pattern: string): string => {
  patternSayings.set(pattern, words)
  return pattern
}

/** The values that a field may have, the empty text by its name. */
const choices = (values: readonly unknown[]): string =>
  [...values.filter((value) => value !== ''), ...(values.includes('') ? ['or an empty text'] : [])].join(', ')

const sayings: Record<string, (params: Params) => string> = {
  required: () => 'This field is required.',
  additionalProperties: ({ names }) =>
    typeof names === 'string' ? `Unknown field. Expected: ${names}.` : 'Unknown field.',
  type: ({ type }) => `Expected ${named(type)}.`,
  enum: ({ allowedValues }) => `Expected one of: ${choices(allowedValues as unknown[])}.`,
  const: ({ allowedValue }) => `Expected ${String(allowedValue)}.`,
  minLength: ({ limit }) =>
    limit === 1 ? 'This field may not be empty.' : `Use at least ${String(limit)} characters.`,
  maxLength: ({ limit }) => `Use at most ${String(limit)} characters.`,
  minItems: ({ limit }) => (limit === 1 ? 'This list may not be empty.' : `Give at least ${String(limit)} items.`),
  maxItems: ({ limit }) => `Give at most ${String(limit)} items.`,
  minimum: ({ limit }) => `Must be at least ${String(limit)}.`,
  maximum: ({ limit }) => `Must be at most ${String(limit)}.`,
  exclusiveMinimum: ({ limit }) => `Must be more than ${String(limit)}.`,
  maxProperties: ({ limit }) => `Give at most ${String(limit)} entries.`,
  minProperties: ({ limit, names }) =>
    typeof names === 'string'
      ? `Give at least ${String(limit)} of: ${names}.`
      : `Give at least ${String(limit)} ${limit === 1 ? 'entry' : 'entries'}.`,
  pattern: ({ pattern }) => patternSayings.get(String(pattern)) ?? `Must match pattern "${String(pattern)}".`,
  format: ({ format }) => `Expected ${formatNames[String(format)] ?? String(format)}.`,
}

const messageOf = ({ keyword, params, message }: ValidationError): string =>
  sayings[keyword]?.(params) ?? `${(message ?? 'is not valid').replace(/^./, (first) => first.toUpperCase())}.`

/** @returns field path → messages; undefined when the value is as it should be. */
export type FieldCheck = (value: unknown) => Readonly<Record<string, string[]>> | undefined

/** Compiles a schema once into a check by the rules of request bodies, for a part whose schema depends on another part. */
export const compileFieldCheck = (schema: object): FieldCheck => {
  const validate = bodyValidator(schema)
  return (value) => (validate(value) ? undefined : fieldErrors(validate.errors ?? []))
}

/**
 * Whether a value is as a schema of a part of a body has it; where it is not, `problems` says why. It names the fields that
 * there can be, because they depend on another part. @param path of the part.
 */
export const fits = <Schema extends TSchema>(
  schema: Schema,
  value: unknown,
  path: string,
  problems: Problems,
): value is Static<Schema> => {
  const validate = bodyValidator(schema)
  if (validate(value)) return true
  const errors = (validate.errors ?? []).slice(0, maxErrors).map((error) => ({
    ...error,
    params: { ...error.params, names: namesAt(schema, error) },
  }))
  for (const [field, messages] of Object.entries(fieldErrors(errors)))
    for (const message of messages) problems.add(field === 'non_field_errors' ? path : `${path}.${field}`, message)
  return false
}

/** The fields of the object in a schema without references that an error is about. */
const namesAt = (schema: object, { schemaPath }: ValidationError): string | undefined => {
  const steps = schemaPath.split('/').slice(1, -1).map(unescapePointer)
  const about = steps.reduce<unknown>((part, step) => (part as Record<string, unknown>)[step], schema)
  const { properties } = about as { readonly properties?: object }
  return properties && Object.keys(properties).join(', ')
}
