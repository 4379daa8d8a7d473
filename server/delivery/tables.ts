import type { Generated } from 'kysely'

export type DeliveryStatus = 'pending' | 'delivered' | 'failed' | 'cancelled'

/** How an attempt ended: `retry` failed but will be tried again; `unknown` died with its process. */
export type AttemptOutcome = 'delivered' | 'retry' | 'failed' | 'unknown'

interface EventsTable {
  id: Generated<number>
  scope: string
  type: string
  occurredAt: Date
  objectType: string | null
  objectId: string | null
  sequence: number | null
  body: string
}

interface DeliveriesTable {
  id: Generated<number>
  eventId: number
  subscriptionId: number
  status: Generated<DeliveryStatus>
  attempts: Generated<number>
  nextAttemptAt: Date
  leaseToken: number | null
  leasedAt: Date | null
  leasedUntil: Date | null
  lastStatus: number | null
  lastReason: string | null
  finishedAt: Date | null
}

interface AttemptsTable {
  deliveryId: number
  number: number
  startedAt: Date
  durationMs: number | null
  outcome: AttemptOutcome
  reason: string | null
  responseStatus: number | null
  requestHeaders: Record<string, string> | null
  responseHeaders: Record<string, string> | null
  responseBody: string | null
}

declare module '#platform/db/database.ts' {
  interface Tables {
    events: EventsTable
    deliveries: DeliveriesTable
    attempts: AttemptsTable
    installation: { onlyRow: boolean; id: string }
  }
}
