/** A second way to write the beginning of paths. Compared by whole segments. */
export interface PathAlias {
  readonly prefix: string
  /** What it stands for. The paths below it are the same. */
  readonly standsFor: string
}

/**
 * The request target with its path as the routes know it: everything after this (routes, error shapes, allowed methods,
 * idempotency keys) sees one path for one operation.
 */
export const withoutAlias = (aliases: readonly PathAlias[], target: string): string => {
  const alias = aliases.find(
    ({ prefix }) => target.startsWith(prefix) && /^([/?#]|$)/.test(target.slice(prefix.length)),
  )
  return alias === undefined ? target : alias.standsFor + target.slice(alias.prefix.length)
}
