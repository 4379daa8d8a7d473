export { contentTypeRoutes } from './routes.ts'
