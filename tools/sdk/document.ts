import { readFileSync } from 'node:fs'
import { join } from 'node:path'

// docs/openapi.json as the generators of the SDKs read it.

/** JSON Schema, as far as the document has it. */
export interface Schema {
  readonly $ref?: string
  readonly title?: string
  readonly description?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | boolean
}
export interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema: Schema
}
type Content = Readonly<Record<string, { readonly schema?: Schema }>>
export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly parameters?: readonly (Parameter | Reference)[]
  readonly requestBody?: { readonly required?: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, Answer | Reference>>
}
export interface Answer {
  readonly content?: Content
}
interface Reference {
  readonly $ref: string
}
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>
export interface ApiDocument {
  readonly info: { readonly version: string }
  readonly paths: Paths
  readonly webhooks: Paths
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>
}

export const document = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../docs/openapi.json'), 'utf8'),
) as ApiDocument

/** What a reference leads to, or the thing itself. */
export const follow = <T extends object>(value: T | Reference): T => {
  if (!('$ref' in value)) return value
  const [, , kind = '', name = ''] = value.$ref.split('/')
  return document.components[kind]?.[name] as T
}

export const schemas = document.components['schemas'] as Readonly<Record<string, Schema>>

/** An operation with its place. */
export interface Route extends Operation {
  readonly method: string
  readonly path: string
}

export const routes: readonly Route[] = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ ...operation, method, path })),
)

export const parametersOf = ({ parameters = [] }: Operation): Parameter[] => parameters.map(follow)

/** Whether a `POST` can be repeated with an `Idempotency-Key`. */
export const takesIdempotencyKey = (operation: Operation): boolean =>
  parametersOf(operation).some(({ name }) => name === 'Idempotency-Key')
