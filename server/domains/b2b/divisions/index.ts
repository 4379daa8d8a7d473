export { divisionRoutes } from './routes.ts'
export { divisionExists, holdRoot, orderableDivisions } from './store.ts'
