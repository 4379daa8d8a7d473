export type { ShippedPackages } from './change-shipment.ts'
export { moveShipmentOf } from './package-shipment.ts'
export { shipmentRoutes } from './routes.ts'
