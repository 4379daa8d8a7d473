import type { Jobs } from '#platform/jobs/jobs.ts'
import { channelRoutes } from './channels/index.ts'
import { contentTypeRoutes } from './content-types/index.ts'
import type { Dependencies } from './dependencies.ts'
import { makeGroups } from './groups/index.ts'
import { makePlaces } from './places/index.ts'
import { makeReports } from './reports/index.ts'

/** What failed, who is to look at it, and how channels call places (document 2; contract, section 6). */
export const makeErrorReports = ({ jobs, ...dependencies }: Dependencies & { readonly jobs: Pick<Jobs, 'define'> }) => {
  const reports = makeReports(dependencies)
  const shared = { ...dependencies, jobs, reports: reports.openReports }
  return {
    routes: [
      channelRoutes(dependencies),
      contentTypeRoutes(dependencies),
      ...reports.routes,
      ...makeGroups(shared).routes,
      ...makePlaces(shared).routes,
    ],
  }
}
