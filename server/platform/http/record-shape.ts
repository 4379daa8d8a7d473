import type { Static, TObject } from 'typebox'

type CamelCase<Name> = Name extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<CamelCase<Tail>>}` : Name
/** The column that a field is named after: `is_active` → `isActive`, `created_date` → `createdAt`. */
type ColumnOf<Name> = Name extends `${infer Event}_date` ? `${CamelCase<Event>}At` : CamelCase<Name>

declare const notShown: unique symbol
type Plain = string | number | boolean | null | undefined
/** A column as answers have it: times as text. Objects can hold more than is shown, so each of their fields is written out. */
type Shown<Value> = Value extends Date
  ? string
  : Value extends Plain
    ? Value
    : Value extends readonly (infer Item extends Plain)[]
      ? Item[]
      : typeof notShown

type FieldFrom<Row, Context extends [unknown?], Value> =
  | { [Column in keyof Row]: Shown<Row[Column]> extends Value ? Column : never }[keyof Row]
  | ((row: Row, ...context: Context) => Value)
type NamedAfterColumn<Row, Wire> = {
  [Name in keyof Wire]: ColumnOf<Name> extends keyof Row
    ? Shown<Row[ColumnOf<Name>]> extends Wire[Name]
      ? Name
      : never
    : never
}[keyof Wire]
type WrittenOut<Row, Wire, Context extends [unknown?]> = {
  readonly [Name in Exclude<keyof Wire, NamedAfterColumn<Row, Wire>>]: FieldFrom<Row, Context, Wire[Name]>
} & { readonly [Name in NamedAfterColumn<Row, Wire>]?: FieldFrom<Row, Context, Wire[Name]> }

/**
 * Makes what shows a row as a shape has it: fields that the shape does not name are never shown.
 * @param writtenOut fields that differ from the column of their name: another column, or how they are computed.
 */
export const makeToWire = <Row, Shape extends TObject, Context extends [unknown?] = []>(
  shape: Shape,
  writtenOut: WrittenOut<Row, Static<Shape>, Context>,
): ((row: Row, ...context: Context) => Static<Shape>) => {
  const given = writtenOut as Readonly<Record<string, string | FieldFrom<Row, Context, unknown>>>
  const fields = Object.entries(shape.properties).map(([name, schema]) => {
    const from = given[name] ?? columnOf(name)
    if (typeof from === 'function') return `${name}: writtenOut.${name}(row, context)`
    return `${name}: row.${from as string}${isTime(schema) ? '?.toISOString() ?? null' : ''}`
  })
  // Of names in the source only. A loop over the fields takes half as long again for each row of a list.
  // oxlint-disable-next-line typescript/no-implied-eval -- compiled once for each shape, as the serializer of answers is.
  const compile = new Function('writtenOut', `return (row, context) => ({ ${fields.join(', ')} })`) as (
    fields: typeof writtenOut,
  ) => (row: Row, ...context: Context) => Static<Shape>
  return compile(writtenOut)
}

const columnOf = (name: string): string =>
  name.replace(/_date$/, '_at').replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

const isTime = (schema: { readonly format?: string; readonly anyOf?: readonly object[] }): boolean =>
  schema.format === 'date-time' || schema.anyOf?.some(isTime) === true
