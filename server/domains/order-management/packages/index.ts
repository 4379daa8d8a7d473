export type { HoldQuotationOrder } from './quotation-orders.ts'
export { packageRoutes, type PackageDeps } from './routes.ts'
export { shippedPackages } from './shipped-packages.ts'
