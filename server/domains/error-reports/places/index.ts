import type { Dependencies } from '../dependencies.ts'
import { makeMapPlace, type MapPlaceDeps } from './map-place.ts'
import { placeRoutes } from './routes.ts'

export { mappedPlaces } from './store.ts'

export interface PlacesDeps extends Dependencies, Pick<MapPlaceDeps, 'jobs' | 'reports'> {
  /** More open reports than these are resolved by a job. */
  readonly mostAtOnce?: number
  readonly step?: number
}

/** How channels call places, and which ones those are here. */
export const makePlaces = ({ jobs, reports, mostAtOnce = 5_000, step = 1_000, ...dependencies }: PlacesDeps) => {
  const { db, clock } = dependencies
  const mapPlace = makeMapPlace({ db, clock, jobs, reports, mostAtOnce, step })
  return { routes: [placeRoutes(dependencies, mapPlace)] }
}
