import { Type, type TSchema } from 'typebox'

/** A single value, and what is told of it besides its type. */
export interface LeafNode {
  readonly kind: 'leaf'
  readonly schema: TSchema
  /** Never answered: answers show the mask. */
  readonly isSecret?: boolean
  /** A point in time, kept in UTC with milliseconds. */
  readonly isTime?: boolean
  /** What it is where its object is there and nothing was said of it. */
  readonly initial?: boolean
}
/** Named parts, each of which can be missing. */
export interface ObjectNode {
  readonly kind: 'object'
  readonly fields: Readonly<Record<string, ShapeNode>>
  /** Its component of the API description. */
  readonly name?: string
}
/** Objects of single values, none of them secret. It is replaced as a whole. */
export interface ListNode {
  readonly kind: 'list'
  readonly fields: Readonly<Record<string, LeafNode>>
}
/** What can stand at one place of a project's nested objects. Checks, merges and answers all follow it. */
export type ShapeNode = LeafNode | ObjectNode | ListNode

/** What is stored in such a shape. */
export type Leaf = string | number | boolean
export interface Tree {
  readonly [name: string]: Leaf | Tree | readonly Tree[]
}
export type TreeValue = Tree[string]

/** What a body sends for it: `null` removes. */
export interface Patch {
  readonly [name: string]: Leaf | null | Patch | readonly Patch[]
}
export type PatchValue = Patch[string]

/** The most that a text can hold, in characters; that of a key file where one is given as text; and items of a list. */
export const mostCharacters = 2_048
export const mostKeyCharacters = 20_000
export const mostItems = 100

export const object = (fields: ObjectNode['fields']): ObjectNode => ({ kind: 'object', fields })
export const named = (name: string, node: ObjectNode): ObjectNode => ({ ...node, name })
export const list = (fields: ListNode['fields']): ListNode => ({ kind: 'list', fields })

const secretOf = (maxLength: number): LeafNode => ({
  kind: 'leaf',
  isSecret: true,
  schema: Type.String({
    maxLength,
    description: 'Write-only: answers show ******** where one is stored, and sending that back keeps it.',
  }),
})

export const text: LeafNode = { kind: 'leaf', schema: Type.String({ maxLength: mostCharacters }) }
export const secret = secretOf(mostCharacters)
export const secretFile = secretOf(mostKeyCharacters)
/** Where a file lies; the example is one of its kind. */
export const fileUrl = (example: string): LeafNode => ({
  kind: 'leaf',
  schema: Type.String({
    maxLength: mostCharacters,
    format: 'uri',
    description: 'An absolute URI.',
    examples: [`https://files.example.com/${example}`],
  }),
})
export const time: LeafNode = {
  kind: 'leaf',
  isTime: true,
  schema: Type.String({
    maxLength: 40,
    description: 'RFC 3339, or YYYY-MM-DD HH:MM:SS in UTC; answered in UTC with milliseconds.',
    examples: ['2027-03-01T12:00:00.000Z'],
  }),
}
export const truth: LeafNode = { kind: 'leaf', schema: Type.Boolean() }
export const initiallyFalse: LeafNode = {
  kind: 'leaf',
  initial: false,
  schema: Type.Boolean({ description: 'false where nothing else was said.' }),
}
export const number: LeafNode = { kind: 'leaf', schema: Type.Number() }
