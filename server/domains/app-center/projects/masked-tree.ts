import { mask } from '#delivery/subscriber/mask.ts'
import type { ObjectNode, ShapeNode, Tree, TreeValue } from './shape.ts'

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
