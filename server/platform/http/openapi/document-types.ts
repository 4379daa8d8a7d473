/** The parts of an OpenAPI 3.1 document that are worked on after it was generated. */

// A type, not an interface, so that it is a schema too.
export type Reference = { readonly $ref: string }

/** JSON Schema, in which `title` is the name of a component. */
export interface Schema {
  readonly title?: string
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly examples?: readonly unknown[]
  readonly [keyword: string]: unknown
}

export interface Media {
  readonly schema?: Schema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>
}
export type Content = Readonly<Record<string, Media>>

export interface Parameter extends Partial<Reference> {
  readonly name?: string
  readonly in?: string
  readonly schema?: Schema
}

export interface Answer extends Partial<Reference> {
  readonly description?: string
  readonly headers?: Readonly<Record<string, object>>
  readonly content?: Content
}

export interface Operation {
  readonly operationId?: string
  readonly summary?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required?: boolean; readonly content?: Content }
  readonly responses?: Readonly<Record<string, Answer>>
}

/** Path or event → method → operation. */
export type Operations = Readonly<Record<string, Readonly<Record<string, Operation>>>>

export interface Document {
  readonly paths?: Operations
  readonly webhooks?: Operations
  readonly components?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

export const mapValues = <From, To>(
  object: Readonly<Record<string, From>>,
  change: (value: From, name: string) => To,
): Record<string, To> => Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]))

export const mapOperations = (operations: Operations, change: (operation: Operation) => Operation): Operations =>
  mapValues(operations, (methods) => mapValues(methods, change))

/** The operation with another content of its body and its answers. @param change is given the status of an answer. */
export const mapContents = (
  operation: Operation,
  change: (content: Content, status?: string) => Content,
): Operation => {
  const { requestBody, responses } = operation
  return {
    ...operation,
    ...(requestBody?.content && { requestBody: { ...requestBody, content: change(requestBody.content) } }),
    ...(responses && {
      responses: mapValues(responses, ({ content, ...answer }, status) => ({
        ...answer,
        ...(content && { content: change(content, status) }),
      })),
    }),
  }
}
