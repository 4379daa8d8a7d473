import type { Generated } from 'kysely'
import type { Envelope } from './envelope.ts'

/**
 * `held`: happened while the engine had the subscription switched off; waits until somebody asks for it. `waiting`: an
 * earlier delivery about the same object has to be done first.
 */
export const deliveryStatuses = ['pending', 'delivered', 'failed', 'cancelled', 'held', 'waiting'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

/** 0: never tried. 1: tried before, or put back in the queue. Retries must not stand in the way of what is new. */
export type Lane = 0 | 1

/** How an attempt ended: `retry` failed but will be tried again; `unknown` died with its process. */
export const attemptOutcomes = ['delivered', 'retry', 'failed', 'unknown'] as const
export type AttemptOutcome = (typeof attemptOutcomes)[number]

interface EventsTable {
  id: Generated<number>
  scope: string
  type: string
  occurredAt: Date
  objectType: string | null
  objectId: string | null
  sequence: number | null
  body: string
  contentType: string | null
  addressee: number | null
  isTest: Generated<boolean>
  traceparent: string | null
}

interface DeliveriesTable {
  id: Generated<number>
  eventId: number
  subscriptionId: number
  envelope: Generated<Envelope>
  status: Generated<DeliveryStatus>
  attempts: Generated<number>
  attemptsBefore: Generated<number>
  lane: Generated<Lane>
  nextAttemptAt: Date
  leaseToken: number | null
  leasedAt: Date | null
  leasedUntil: Date | null
  lastStatus: number | null
  lastReason: string | null
  finishedAt: Date | null
  /** Copies of the event, by which lists are filtered. */
  eventType: string | null
  objectType: string | null
  objectId: string | null
  /** Of a delivery with order, see order/object-queues.ts. */
  sequence: number | null
  isHead: boolean | null
}

interface AttemptsTable {
  deliveryId: number
  number: number
  startedAt: Date
  durationMs: number | null
  outcome: AttemptOutcome
  reason: string | null
  detail: string | null
  responseStatus: number | null
  /** Lines of `name: value`, see header-lines.ts. */
  requestHeaders: string | null
  responseHeaders: string | null
  responseBody: string | null
  address: string | null
  dnsMs: number | null
  connectMs: number | null
  tlsMs: number | null
  firstByteMs: number | null
  nextAttemptAt: Date | null
}

interface UnreportedFailuresTable {
  id: Generated<number>
  deliveryId: number
  status: 'failed' | 'delivered'
  endedAt: Date
  tries: Generated<number>
  notBefore: Date | null
}

declare module '#platform/db/database.ts' {
  interface Tables {
    events: EventsTable
    deliveries: DeliveriesTable
    attempts: AttemptsTable
    objectQueues: { subscriptionId: number; objectType: string; objectId: string; headSequence: number }
    unreportedFailures: UnreportedFailuresTable
    installation: { onlyRow: boolean; id: string }
  }
}
