// What pages of the documentation are generated from: roles of members, and the life cycles of everything that has one.
export { includes, permissions, roles, type Operation } from '#domains/app-center/access/index.ts'
export { releaseLifecycles } from '#domains/app-center/index.ts'
export { quotationLifecycle } from '#domains/b2b/quotations/index.ts'
export { packageLifecycle, shipmentLifecycle, transferLifecycle } from '#domains/order-management/index.ts'
