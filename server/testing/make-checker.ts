import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { checkEverything } from '#delivery/upkeep/check-everything.ts'
import type { Finding } from '#delivery/upkeep/finding.ts'
import { checkInvariants, type CheckerDeps } from '#delivery/upkeep/invariants.ts'
import { makeUpkeepGauges } from '#delivery/upkeep/upkeep-gauges.ts'
import { systemClock } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'

/** What is checked are the milliseconds before this one. */
const aMomentMs = 3

export interface Checker {
  /** One run of the periodic checker, as a process of its own. It is due at once and looks at everything up to now, unless the fields say otherwise. */
  check(fields?: Partial<CheckerDeps>): Promise<Finding[]>
  /** One run of the command. @returns the checks that found something. */
  checkAll(repair: boolean, since?: Date): Promise<Finding[]>
  /** A metric as the last run of `check` left it. */
  metric(name: string): Promise<number>
  /** Forgets what was found and where the checks have come. */
  reset(): Promise<void>
}

/**
 * Both ways to check the tables of the delivery engine, for tests.
 * @param settleMs events younger than this are not judged, nor those who began to listen later than this before one.
 */
export const makeChecker = (db: Db, settleMs = 0): Checker => {
  let registry = new Registry()
  return {
    async check(fields = {}) {
      const found: Finding[] = []
      const report = (line: string): void => {
        const { check, found: count, repaired, examples } = JSON.parse(line) as Finding
        found.push({ check, found: count, repaired, examples })
      }
      registry = new Registry()
      const metrics = makeUpkeepGauges(registry)
      const log = pino({ level: 'error' }, { write: report })
      const deps = { db, clock: systemClock, log, metrics, attemptDays: 30, settleMs, everyMs: 0, ...fields }
      await sleep(aMomentMs)
      await checkInvariants(deps, new AbortController().signal)
      return found
    },
    async checkAll(repair, since) {
      await sleep(aMomentMs)
      const findings = await checkEverything(db, { repair, since, eventDays: 90, attemptDays: 30, settleMs })
      return findings.filter(({ found }) => found > 0)
    },
    async metric(name) {
      const lines = (await registry.metrics()).split('\n')
      return Number(lines.find((line) => line.startsWith(`${name} `))?.slice(name.length))
    },
    async reset() {
      await sql`delete from invariant_violations`.execute(db)
      await sql`
        update upkeep set due_at = '-infinity', done_at = null,
          position = case job when 'events' then to_jsonb(time_id_floor(clock_timestamp())) else 'null' end`.execute(db)
    },
  }
}
