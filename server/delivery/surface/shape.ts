import { Type, type TObject, type TSchema } from 'typebox'

/** The name on the wire of a field that is called so in TypeScript. */
export type Naming = (field: string) => string

export const camelCase: Naming = (field) => field
export const snakeCase: Naming = (field) => field.replaceAll(/(?<=[a-z])(?=[A-Z0-9])/g, '_').toLowerCase()

/** A naming with other names for some fields. */
export const renaming =
  (naming: Naming, names: Readonly<Record<string, string>>): Naming =>
  (field) =>
    names[field] ?? naming(field)

/** How a surface shows one kind of thing. */
export interface Shape<Source> {
  readonly schema: TObject
  /** Fields that are undefined are left out; times are RFC 3339. */
  readonly toRecord: (source: Source) => Record<string, unknown>
}

/** Fields of a thing, each with its schema. */
export type ShownFields<Source> = Readonly<Partial<Record<keyof Source, TSchema>>>

/** Makes schema and records of a thing from its fields, so that both have the same names. */
export const makeShape = <Source extends object>(
  naming: Naming,
  fields: ShownFields<Source>,
  options: { readonly title?: string; readonly description?: string } = {},
): Shape<Source> => {
  // Named once: a list has hundreds of fields.
  const names = Object.keys(fields).map((field) => [field as keyof Source & string, naming(field)] as const)
  return {
    schema: Type.Object(named(naming, fields as Record<string, TSchema>), options),
    toRecord: (source) => {
      const record: Record<string, unknown> = {}
      for (const [field, name] of names) if (source[field] !== undefined) record[name] = wireValue(source[field])
      return record
    },
  }
}

/** Schemas by the names that their fields have on the wire. */
export const named = (naming: Naming, fields: Readonly<Record<string, TSchema>>): Record<string, TSchema> =>
  Object.fromEntries(Object.entries(fields).map(([field, schema]) => [naming(field), schema]))

const wireValue = (value: unknown): unknown => (value instanceof Date ? value.toISOString() : value)
