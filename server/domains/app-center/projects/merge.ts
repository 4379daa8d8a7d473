import { mask } from '#delivery/subscriber/mask.ts'
import type { Problems } from '#platform/problems.ts'
import type { LeafNode, ObjectNode, Patch, PatchValue, ShapeNode, Tree, TreeValue } from './shape.ts'

export const nothingToKeep = `Nothing is stored here that ${mask} could keep: send the value itself.`

/** Where the merge stands, and whom it tells what is wrong. */
interface At {
  /** Path of the object: `credential.ios`, empty for the outermost. */
  readonly path: string
  readonly problems: Problems
}

/**
 * Merges what was sent into what is stored (RFC 7396): what is not named stays, `null` removes, a list is replaced
 * as a whole. The mask keeps the secret that is stored; where there is none, that is a problem of the field.
 * @param sent has the shape of `node`, and no `null` in a list.
 */
export const mergeTree = (node: ObjectNode, stored: Tree, sent: Patch, at: At): Tree => {
  const merged = Object.entries(node.fields).map(([name, field]) => {
    const value = sent[name]
    const next = value === undefined ? stored[name] : mergeValue(field, stored[name], value, below(at, name))
    return [name, next ?? initialOf(field)] as const
  })
  return Object.fromEntries(merged.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}

const mergeValue = (
  node: ShapeNode,
  stored: TreeValue | undefined,
  sent: PatchValue,
  at: At,
): TreeValue | undefined => {
  if (sent === null) return undefined
  if (node.kind === 'object') return mergeTree(node, (stored ?? {}) as Tree, sent as Patch, at)
  return node.kind === 'leaf' && sent === mask ? kept(node, stored, at) : (sent as TreeValue)
}

const kept = (node: LeafNode, stored: TreeValue | undefined, { path, problems }: At): TreeValue | undefined => {
  if (node.isSecret !== true) return mask
  if (stored === undefined) problems.add(path, nothingToKeep)
  return stored
}

const initialOf = (node: ShapeNode): boolean | undefined => (node.kind === 'leaf' ? node.initial : undefined)

const below = ({ path, problems }: At, name: string): At => ({
  path: path === '' ? name : `${path}.${name}`,
  problems,
})
