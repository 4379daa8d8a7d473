import { mapSubschemas } from './components.ts'
import { mapContents, mapValues, type Content, type Media, type Operation, type Schema } from './document-types.ts'

/**
 * Writes schemas so that generators of clients understand them: bodies and answers have names and descriptions, bytes a type,
 * free objects say that they are free. What a body has only to be ignored is left out: the introduction says that it may be sent.
 */
export const writePlainly = (operation: Operation): Operation => {
  const { operationId, summary = '' } = operation
  if (operationId === undefined) return operation
  const name = operationId.replace(/^./, (first) => first.toUpperCase())
  const named = (kind: string, description: string): Named => ({
    title: `${name}${kind}`,
    description: `${description} of “${summary}”.`,
  })
  return mapContents(operation, (content, status) =>
    changeSchemas(content, (schema) => {
      if (status === undefined) return bodyOf(schema, named('Body', 'The body'))
      return status.startsWith('2') ? answerOf(schema, named) : schema
    }),
  )
}

type Named = Required<Pick<Schema, 'title' | 'description'>>

const changeSchemas = (content: Content, change: (schema: Schema) => Schema): Content =>
  mapValues(content, (media: Media, type) => {
    const { schema = {}, example: _, examples: __, ...rest } = media
    // What is a text in one type of a body is no example of a file in another one.
    if (type.startsWith('application/vnd.')) return { ...rest, schema: withFormat(schema) }
    if (type !== 'application/json') return { ...media, schema: withFormat(schema) }
    const changed = change(plain(schema))
    return changed.examples === undefined ? { ...media, schema: changed } : { ...rest, schema: changed }
  })

/** Bytes, unless the schema says what they are. */
const withFormat = (schema: Schema): Schema =>
  schema.type === undefined && schema.title === undefined ? { type: 'string', format: 'binary', ...schema } : schema

const plain = (schema: Schema): Schema => {
  const inside = mapSubschemas(schema, plain)
  if (isEmptySchema(inside['additionalProperties'])) return { ...inside, additionalProperties: true }
  const isFree =
    inside.type === 'object' && isEmptySchema(inside['properties']) && inside['additionalProperties'] === undefined
  return isFree ? without(['properties'], { ...inside, additionalProperties: true }) : inside
}

const isEmptySchema = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0

const without = (keywords: readonly string[], schema: Schema): Schema =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)))

const bodyOf = (schema: Schema, named: Named): Schema => {
  const known = knownFields(schema)
  if (isEmptySchema(known['properties']))
    return { ...known, title: 'EmptyBody', description: 'No fields.', examples: [{}] }
  const { items, type } = known
  if (items === undefined || !type?.includes('object')) return { ...named, ...known }
  // Keywords of objects and of arrays in one schema.
  const ofLists = ['items', 'minItems', 'maxItems', 'uniqueItems']
  const { title, description, examples, ...single } = { ...named, ...known }
  const list = { type: 'array', ...Object.fromEntries(Object.entries(single).filter(([key]) => ofLists.includes(key))) }
  const item = { title: `${title}Item`, description: `One of ${title}.`, ...without(['title'], items as Schema) }
  return { title, description, anyOf: [item, { ...list, items: item }], ...(examples && { examples }) }
}

/** Without the fields that are accepted only to be ignored, in parts of it too. */
const knownFields = (schema: Schema): Schema => {
  const inside = mapSubschemas(schema, knownFields)
  const { properties } = inside as { readonly properties?: Readonly<Record<string, { readonly readOnly?: boolean }>> }
  if (properties === undefined) return inside
  const known = Object.entries(properties).filter(([, field]) => field.readOnly !== true)
  return { ...inside, properties: Object.fromEntries(known) }
}

const answerOf = (schema: Schema, named: (kind: string, description: string) => Named): Schema => {
  const { title, type, items } = schema
  if (title !== undefined) return schema
  if (type === 'array') return { ...schema, items: answerItemOf(items as Schema, named('Item', 'One item')) }
  return type === 'object' ? { ...named('Answer', 'The answer'), ...schema } : schema
}

const answerItemOf = (schema: Schema, named: Named): Schema =>
  schema.type === 'object' ? { ...named, ...schema } : schema
