import { dayMs } from '#platform/clock.ts'
import type { Project } from './project.ts'
import type { Tree, TreeValue } from './shape.ts'

const soonMs = 30 * dayMs

/** When certificates and provisioning profiles of a project expire: those that do within 30 days, or did in the last 30. */
export const expiringOf = ({ credential, additionalCredentials }: Project, now: Date): Date[] =>
  [credential, additionalCredentials]
    .flatMap(expirations)
    .map((text) => new Date(text))
    .filter((at) => Math.abs(at.getTime() - now.getTime()) <= soonMs)

const expirations = (tree: Tree): string[] =>
  Object.entries(tree).flatMap(([name, value]) => {
    if (typeof value === 'string' && name.endsWith('Expiration')) return [value]
    return treesIn(value).flatMap(expirations)
  })

const treesIn = (value: TreeValue): readonly Tree[] => {
  if (Array.isArray(value)) return value as readonly Tree[]
  return typeof value === 'object' ? [value as Tree] : []
}
