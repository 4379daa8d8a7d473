import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { EmbeddedPostgres } from '../../../tools/embedded-postgres.ts'
import type { FlakyNetwork } from './flaky-network.ts'

export interface Surroundings {
  readonly cluster: EmbeddedPostgres
  readonly network: FlakyNetwork
}

/** Something that happens to the database, or on the way to it; over when it resolves. */
export interface DatabaseTrouble {
  readonly name: string
  /** Whether nothing can be asked of the database meanwhile, for longer than a moment. */
  readonly isOutage: boolean
  happen(surroundings: Surroundings): Promise<void>
}

const outageMs = 1_500
const terminations = 5

const restarted = (how: 'fast' | 'immediate'): DatabaseTrouble => ({
  name: `PostgreSQL restarted, ${how}`,
  isOutage: true,
  happen: async ({ cluster }) => {
    await cluster.halt(how)
    await sleep(outageMs)
    await cluster.start()
  },
})

export const databaseTroubles: readonly DatabaseTrouble[] = [
  restarted('fast'),
  restarted('immediate'),
  {
    name: 'every connection terminated, five times',
    isOutage: false,
    happen: async ({ cluster }) => {
      const admin = new pg.Client({ connectionString: cluster.url })
      await admin.connect()
      for (let time = 0; time < terminations; time++) {
        await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'waybill'`)
        await sleep(100)
      }
      await admin.end()
    },
  },
  {
    name: 'network cut',
    isOutage: false,
    happen: async ({ network }) => {
      network.cut()
      await sleep(100)
      network.cut()
    },
  },
  {
    name: 'network stalled',
    isOutage: false,
    happen: async ({ network }) => {
      network.stall()
      await sleep(2 * outageMs)
      network.heal()
    },
  },
  {
    name: 'network stalled, then cut',
    isOutage: false,
    happen: async ({ network }) => {
      network.stall()
      await sleep(outageMs)
      network.cut()
      network.heal()
    },
  },
  {
    name: 'connections gone silent',
    isOutage: false,
    happen: async ({ network }) => network.silence(),
  },
]
