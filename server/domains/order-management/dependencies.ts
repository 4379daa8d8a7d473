import type { Outbox } from '#delivery/outbox/outbox.ts'
import type { Clock } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import type { Write } from '#platform/http/idempotency.ts'

/** What every slice of order management is built from. */
export interface Dependencies {
  readonly db: Db
  readonly clock: Clock
  readonly write: Write
  readonly outbox: Outbox
  /** Where the outside reaches this server, for absolute links. Asked at each request: the port may be known late. */
  readonly baseUrl: () => string
}
