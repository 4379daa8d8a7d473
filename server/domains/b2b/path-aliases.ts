import type { PathAlias } from '#platform/http/path-aliases.ts'

/** What the storefront client calls by a name of its own (contract, section 11). */
export const pathAliases: readonly PathAlias[] = ['my-divisions', 'basket', 'my-quotations'].map((name) => ({
  prefix: `/b2b/${name}`,
  standsFor: `/api/v1/${name}`,
}))
