export { makeMapPlace } from './map-place.ts'
export { placeRoutes } from './routes.ts'
export { mappedPlaces } from './store.ts'
