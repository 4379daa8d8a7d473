export { distributionRoutes } from './routes.ts'
