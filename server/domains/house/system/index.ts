export type { SystemFacts } from './facts.ts'
export { systemRoutes } from './routes.ts'
