export { packageRoutes } from './routes.ts'
export { shippedPackages } from './shipped-packages.ts'
