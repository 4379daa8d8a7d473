import { mapSubschemas } from './components.ts'
import { mapContents, mapValues, type Operation, type Schema } from './document-types.ts'

/** Descriptions by `Component.field`, or by `field` for all that have no other; in snake case, and good for camel case too. */
export type FieldTexts = Readonly<Record<string, string>>

/** Gives the fields of all bodies and answers that say nothing of themselves the text for their name. */
export const describeFields = (operation: Operation, texts: FieldTexts): Operation =>
  mapContents(operation, (content) =>
    mapValues(content, ({ schema, ...media }) => ({ ...(schema && { schema: describeIn(schema, texts) }), ...media })),
  )

/** @param component the name of the component that the schema is in. */
const describeIn = (schema: Schema, texts: FieldTexts, component = ''): Schema => {
  const name = schema.title ?? component
  const inside = mapSubschemas(schema, (part) => describeIn(part, texts, name))
  const { properties } = inside as { readonly properties?: Readonly<Record<string, Schema>> }
  if (properties === undefined) return inside
  const textOf = (field: string): string | undefined => texts[`${name}.${field}`] ?? texts[field]
  return { ...inside, properties: mapValues(properties, (field, key) => describeField(field, textOf(snakeCase(key)))) }
}

const describeField = (field: Schema, text: string | undefined): Schema => {
  // What has a name describes itself, in its component.
  if (field.description !== undefined || field.title !== undefined) return field
  const options = (field['anyOf'] ?? []) as readonly Schema[]
  const [value, ...others] = options.filter(({ type }) => type !== 'null')
  if (others.length > 0 || value?.title !== undefined || value?.description === undefined)
    return text === undefined ? field : { ...field, description: text }
  // Readers look for it at the field, also where null is another value.
  const { description, ...rest } = value
  return { ...field, description, anyOf: options.map((option) => (option === value ? rest : option)) }
}

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
