import type { PathAlias } from '#platform/http/path-aliases.ts'
import { queueWrites } from '#platform/http/user-queue.ts'
import { basketRoutes, basketTableRoutes } from './baskets/index.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import { divisionExists, divisionRoutes } from './divisions/index.ts'
import { makeExports, type ExportsDeps } from './exports/index.ts'
import { makeOrdersSlice, type OrdersSliceDeps } from './orders/index.ts'
import { myProductRoutes, priceRoutes } from './prices/index.ts'
import { productRoutes } from './products/index.ts'
import {
  followDivisions,
  makeExpiryService,
  makeNotify,
  makeQuotations,
  makeRemainingOf,
  type NotifyDeps,
} from './quotations/index.ts'
import { find } from './find-store.ts'
import { findNeeds } from './needs.ts'
import { settingsRoutes } from './settings/index.ts'

export type { ExportFiles } from './exports/index.ts'
export { skuOf, type Commerce } from './orders/index.ts'

export type B2bDeps = Omit<OrdersSliceDeps, 'findPeople' | 'notify'> & NotifyDeps & Omit<ExportsDeps, 'expireDue'>

/** What the storefront client calls by a name of its own (contract, section 11). */
const pathAliases: readonly PathAlias[] = ['my-divisions', 'basket', 'my-quotations'].map((name) => ({
  prefix: `/b2b/${name}`,
  standsFor: `/api/v1/${name}`,
}))

/** Writes of a buyer that wait for each other: a storefront sends a few at once, when somebody clicks faster than it answers. */
const maxWaiting = 10

/** Who buys, what is sold, and what it is asked for (document 3; quotations). */
export const makeB2b = (deps: B2bDeps) => {
  const { db, clock, write, baseUrl } = deps
  const dependencies: SliceDeps = { db, clock, write, baseUrl }
  // Baskets and quotations can be large, and a change of one makes the others of it wait.
  const writeAsBuyer = queueWrites(write, maxWaiting)
  const limits = { remainingOf: makeRemainingOf(clock) }
  const told = { findPeople: deps.people.findAll, notify: makeNotify(deps) }
  const orders = makeOrdersSlice({ ...deps, ...told })
  const quotations = makeQuotations({ ...deps, ...told, ...limits, writeAsBuyer, orders })
  const exports = makeExports({ ...deps, expireDue: quotations.expiry.expireDue })
  return {
    pathAliases,
    find,
    findNeeds,
    /** Whether people can be put into a division. */
    divisionExists,
    /** Has these orders tried again where they failed, for a superuser. @returns what became of each, in their order. */
    retryOrders: orders.retryMany,
    /** Has these exports made after all where they failed. @returns what became of each, in their order. */
    retryExports: exports.retryMany,
    /** An order, kept from others who hold it until the transaction ends. */
    holdOrder: orders.holdOrder,
    routes: [
      settingsRoutes(dependencies),
      divisionRoutes({ ...dependencies, ...limits, followMove: followDivisions }),
      productRoutes(dependencies),
      priceRoutes(dependencies),
      myProductRoutes(dependencies),
      basketRoutes({ ...dependencies, ...limits, write: writeAsBuyer }),
      basketTableRoutes({ ...dependencies, ...limits, write: writeAsBuyer }),
      ...exports.routes,
      ...quotations.routes,
      ...orders.routes,
    ],
    /** For processes that work. */
    workers: [makeExpiryService({ ...deps, notify: told.notify }), ...orders.workers, ...exports.workers],
  }
}
