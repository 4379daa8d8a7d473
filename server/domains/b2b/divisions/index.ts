export type { RemainingOf } from './change-division.ts'
export { divisionRoutes } from './routes.ts'
export { divisionExists, holdRoot, isMainDivision, orderableDivisions } from './store.ts'
