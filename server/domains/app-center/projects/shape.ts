import { Type, type TProperties, type TSchema } from 'typebox'
import { mask } from '#delivery/subscriber/mask.ts'
import { Body, Nullable, Timestamp } from '#platform/http/schemas.ts'

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
  readonly description?: string
}
/** Objects of single values, none of them secret. It is replaced as a whole. */
export interface ListNode {
  readonly kind: 'list'
  readonly fields: Readonly<Record<string, LeafNode>>
}
/** What can stand at one place of a project's nested objects. Checks, merges and answers all follow it. */
export type ShapeNode = LeafNode | ObjectNode | ListNode

/** What is stored in such a shape. */
type Leaf = string | number | boolean
export interface Tree {
  readonly [name: string]: Leaf | Tree | readonly Tree[]
}
export type TreeValue = Tree[string]

/** What a body sends for it: `null` removes. */
export interface Patch {
  readonly [name: string]: Leaf | null | Patch | readonly Patch[]
}
export type PatchValue = Patch[string]

const maxItems = 100

/** What a body may send: every part optional and nullable, unknown fields refused by their paths. */
export const bodySchemaOf = (node: ObjectNode) => Type.Unsafe<Patch | null>(bodyPart(node))

const bodyPart = (node: ShapeNode): TSchema => {
  if (node.kind === 'leaf') return Nullable(node.schema)
  const item = Body(propertiesOf(node, bodyPart), [], titleOf(node, 'Patch'))
  return Nullable(node.kind === 'list' ? Type.Array(item, { maxItems }) : item)
}

/** What answers hold: the same without `null`. */
export const recordSchemaOf = (node: ObjectNode) => Type.Unsafe<Tree>(recordPart(node))

const recordPart = (node: ShapeNode): TSchema => {
  if (node.kind === 'leaf') return node.isTime === true ? Timestamp : node.schema
  const item = Type.Object(propertiesOf(node, recordPart), titleOf(node))
  return node.kind === 'list' ? Type.Array(item) : item
}

const titleOf = (node: ObjectNode | ListNode, kind: '' | 'Patch' = '') => {
  if (node.kind !== 'object' || node.name === undefined) return {}
  const { name, description = '' } = node
  const ofPatch = kind === '' ? '' : ' What is left out stays; null removes it.'
  return { title: name + kind, description: description + ofPatch }
}

const propertiesOf = ({ fields }: ObjectNode | ListNode, toSchema: (node: ShapeNode) => TSchema): TProperties =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, Type.Optional(toSchema(field))]))

/** What is stored, as answers show it: the mask in place of each secret. What the shape does not know is left out. */
export const maskTree = (node: ObjectNode, tree: Tree): Tree =>
  Object.fromEntries(
    Object.entries(node.fields).flatMap(([name, field]) => {
      const value = tree[name]
      return value === undefined ? [] : [[name, maskValue(field, value)]]
    }),
  )

const maskValue = (node: ShapeNode, value: TreeValue): TreeValue => {
  if (node.kind === 'object') return maskTree(node, value as Tree)
  return node.kind === 'leaf' && node.isSecret === true ? mask : value
}
