import type { Clock } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import type { Jobs } from '#platform/jobs/jobs.ts'
import type { FindPeople } from '../dependencies.ts'
import type { OpenReports } from '../open-reports.ts'

/** What acting on all open reports of a group needs. */
export interface ActOnAllDeps {
  readonly db: Db
  readonly clock: Clock
  readonly jobs: Pick<Jobs, 'define'>
  readonly reports: OpenReports
  readonly findPeople: FindPeople
  /** More than these are left to a job: of those to be resolved, and of those to be tried again. */
  readonly mostAtOnce: number
  readonly mostRetriedAtOnce: number
  /** Reports of one step: creations wait for it. */
  readonly step: number
}
