import type { Outbox } from '#delivery/outbox/outbox.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'

/** What every slice of order management is built from. */
export interface Dependencies extends SliceDeps {
  readonly outbox: Outbox
}
