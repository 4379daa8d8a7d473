import type { Problems } from '#platform/problems.ts'
import { notATime, parseTime } from '#platform/time-text.ts'
import type { LeafNode, ListNode, ObjectNode, Patch, PatchValue, ShapeNode } from './shape.ts'

/**
 * Reads what a body sends for a shape that its schema was made from: times become UTC with milliseconds, and
 * `null` in an item of a list, which can remove nothing there, is left out.
 * @param path of the object, empty for the outermost.
 */
export const readPatch = (node: ObjectNode | ListNode, sent: Patch, path: string, problems: Problems): Patch =>
  Object.fromEntries(
    Object.entries(node.fields).flatMap(([name, field]) => {
      const value = sent[name]
      if (value === undefined || (value === null && node.kind === 'list')) return []
      return [[name, readValue(field, value, path === '' ? name : `${path}.${name}`, problems)]]
    }),
  )

const readValue = (node: ShapeNode, value: PatchValue, path: string, problems: Problems): PatchValue => {
  if (value === null) return null
  if (node.kind === 'leaf') return readLeaf(node, value, path, problems)
  if (node.kind === 'object') return readPatch(node, value as Patch, path, problems)
  return (value as readonly Patch[]).map((item, index) => readPatch(node, item, `${path}.${index}`, problems))
}

const readLeaf = (node: LeafNode, value: PatchValue, path: string, problems: Problems): PatchValue => {
  if (node.isTime !== true) return value
  const time = parseTime(value as string)
  if (time === undefined) problems.add(path, notATime)
  return time?.toISOString() ?? null
}
