import { Type, type TProperties, type TSchema } from 'typebox'
import { Body, Nullable } from '#platform/http/schemas.ts'
import { mostItems, type ListNode, type ObjectNode, type Patch, type ShapeNode, type Tree } from './shape.ts'

/** What a body may send: every part optional and nullable, unknown fields refused by their paths. */
export const bodySchemaOf = (node: ObjectNode) => Type.Unsafe<Patch | null>(bodyPart(node))

const bodyPart = (node: ShapeNode): TSchema => {
  if (node.kind === 'leaf') return Nullable(node.schema)
  const item = Body(propertiesOf(node, bodyPart), [], titleOf(node, 'Patch'))
  return Nullable(node.kind === 'list' ? Type.Array(item, { maxItems: mostItems }) : item)
}

/** What answers hold: the same without `null`. */
export const recordSchemaOf = (node: ObjectNode) => Type.Unsafe<Tree>(recordPart(node))

const recordPart = (node: ShapeNode): TSchema => {
  if (node.kind === 'leaf') return node.schema
  const item = Type.Object(propertiesOf(node, recordPart), titleOf(node))
  return node.kind === 'list' ? Type.Array(item) : item
}

const titleOf = (node: ObjectNode | ListNode, kind = ''): { title?: string } =>
  node.kind === 'object' && node.name !== undefined ? { title: node.name + kind } : {}

const propertiesOf = ({ fields }: ObjectNode | ListNode, toSchema: (node: ShapeNode) => TSchema): TProperties =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, Type.Optional(toSchema(field))]))
