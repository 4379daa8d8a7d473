import type { Clock } from '../clock.ts'
import type { Db } from '../db/database.ts'
import type { Write } from './idempotency.ts'

/** What every slice with routes is built from. */
export interface SliceDeps {
  readonly db: Db
  readonly clock: Clock
  readonly write: Write
  /** Where the outside reaches this server, for absolute links. Asked at each request: the port may be known late. */
  readonly baseUrl: () => string
}
