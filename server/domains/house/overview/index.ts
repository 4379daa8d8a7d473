export { overviewRoutes, type OverviewDeps } from './routes.ts'
