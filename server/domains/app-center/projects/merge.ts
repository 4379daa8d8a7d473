import { mask } from '#delivery/subscriber/mask.ts'
import type { Problems } from '#platform/problems.ts'
import { notATime, parseTime } from '#platform/time-text.ts'
import type { LeafNode, ListNode, ObjectNode, Patch, PatchValue, ShapeNode, Tree, TreeValue } from './shape.ts'

/** Where in the body the work stands, and whom it tells what is wrong. */
interface At {
  /** Path of the object: `credential.ios`, empty for the outermost. */
  readonly path: string
  readonly problems: Problems
}

/**
 * Reads what a body sends for a shape that its schema was made from: times become UTC with milliseconds, and
 * `null` in an item of a list, which can remove nothing there, is left out.
 */
export const readPatch = (node: ObjectNode | ListNode, sent: Patch, at: At): Patch =>
  Object.fromEntries(
    Object.entries(node.fields).flatMap(([name, field]) => {
      const value = sent[name]
      if (value === undefined || (value === null && node.kind === 'list')) return []
      return [[name, readValue(field, value, below(at, name))]]
    }),
  )

const readValue = (node: ShapeNode, value: PatchValue, at: At): PatchValue => {
  if (value === null) return null
  if (node.kind === 'leaf') return readLeaf(node, value, at)
  if (node.kind === 'object') return readPatch(node, value as Patch, at)
  return (value as readonly Patch[]).map((item, index) => readPatch(node, item, below(at, index)))
}

const readLeaf = (node: LeafNode, value: PatchValue, { path, problems }: At): PatchValue => {
  if (node.isTime !== true) return value
  const time = parseTime(value as string)
  if (time === undefined) problems.add(path, notATime)
  return time?.toISOString() ?? null
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
  if (stored === undefined) problems.add(path, `Nothing is stored here that ${mask} could keep: send the value itself.`)
  return stored
}

const initialOf = (node: ShapeNode): boolean | undefined => (node.kind === 'leaf' ? node.initial : undefined)

const below = ({ path, problems }: At, name: string | number): At => ({
  path: path === '' ? `${name}` : `${path}.${name}`,
  problems,
})
