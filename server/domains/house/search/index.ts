export { searchRoutes, type SearchDeps } from './routes.ts'
