export type { Division } from './division.ts'
export { divisionRoutes } from './routes.ts'
export { divisionExists, divisionsByIds, holdRoot, orderableDivisions } from './store.ts'
