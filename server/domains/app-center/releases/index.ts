export { releaseLifecycles } from './lifecycle.ts'
export { releaseRoutes } from './routes.ts'
