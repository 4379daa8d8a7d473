import type { Outbox } from '#delivery/outbox/outbox.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'

export interface Dependencies extends SliceDeps {
  readonly outbox: Outbox
}
