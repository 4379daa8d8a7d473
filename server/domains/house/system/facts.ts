import type { SeenProcess } from '#platform/db/process-signs.ts'
import type { QueueFacts } from '#platform/jobs/queue-facts.ts'

/** What the parts of the server say about themselves. Counts of rows end at 10,000. */
export interface SystemFacts {
  readonly version: string
  readonly role: string
  readonly engine: string
  readonly uptimeSeconds: number
  readonly database: {
    readonly version: string
    readonly sizeBytes: number
    readonly latencyMs: number
    readonly connections: number
    readonly idle: number
    readonly waiting: number
  }
  readonly migrations: { readonly applied: number; readonly expected: number }
  /** What keeps this process from being ready, by the check that says so. */
  readonly readiness: { readonly reasons: Readonly<Record<string, string>> }
  readonly deliveries: {
    readonly due: number
    readonly pending: number
    readonly waiting: number
    readonly held: number
    readonly inFlight: number
    readonly oldestDueSeconds: number
  }
  readonly subscriptions: {
    readonly active: number
    /** Those that are on and whose endpoint fails. */
    readonly failing: number
    /** Those that the server has switched off. */
    readonly switchedOff: number
  }
  readonly invariants: {
    readonly lost: number
    readonly checkedAt: Date
    readonly violations: readonly { readonly check: string; readonly found: number; readonly meaning: string }[]
  }
  readonly jobs: { readonly queues: readonly QueueFacts[] }
  readonly processes: { readonly seen: readonly SeenProcess[] }
  readonly history: {
    readonly eventDays: number
    readonly attemptDays: number
    readonly partitions: readonly { readonly table: string; readonly count: number }[]
    /** Whether rows lie in none of the weeks. */
    readonly isOutside: boolean
  }
  readonly mail: {
    readonly isConfigured: boolean
    readonly waiting: number
    readonly failed: number
    readonly kept: number
  }
  readonly disk: { readonly freeBytes: number; readonly totalBytes: number }
}

export type Section = Exclude<keyof SystemFacts, 'version' | 'role' | 'engine' | 'uptimeSeconds'>
