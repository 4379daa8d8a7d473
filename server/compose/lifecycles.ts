// For the page of all states.
export { releaseLifecycles } from '#domains/app-center/index.ts'
export { packageLifecycle, shipmentLifecycle, transferLifecycle } from '#domains/order-management/index.ts'
