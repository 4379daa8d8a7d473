export { dataRoutes } from './data-routes.ts'
export { runRoutes } from './run-routes.ts'
