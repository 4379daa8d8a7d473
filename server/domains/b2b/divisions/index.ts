export type { Division } from './division.ts'
export { divisionRoutes } from './routes.ts'
export { divisionExists, divisionsByIds, findDivision, orderableDivisions } from './store.ts'
