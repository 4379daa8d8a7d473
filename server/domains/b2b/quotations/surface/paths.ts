import type { Surface } from '../rules/transitions.ts'

/** Where quotations are on each surface. */
export const pathOf: Readonly<Record<Surface, string>> = {
  storefront: '/api/v1/my-quotations',
  admin: '/api/v1/quotations',
}
