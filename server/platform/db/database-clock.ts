import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import { makeLoop, startingWithRun } from '../loop.ts'
import type { Service } from '../supervisor.ts'
import type { Db, Tx } from './database.ts'

/** Where a clock gets its time from. All in milliseconds. */
export interface TimeSources {
  /** The database's time since 1970; takes a round trip. */
  readonly database: () => Promise<number>
  /** Time since any moment that only ever goes forward, at the pace of this machine. */
  readonly monotonic: () => number
  /** This machine's idea of the time since 1970, which may jump. */
  readonly wall: () => number
}

const everyMs = 30_000
/** Samples of one measurement, of which the quickest counts. */
const samples = 3
/** A difference up to this is drift, and made up for little by little; more is a jump, and taken over at once. */
const jumpMs = 1_000

/** `at` on the monotonic clock was `time`, and until `everyMs` later the clock gains `drift` on the machine's pace. */
interface Anchor {
  readonly at: number
  readonly time: number
  readonly drift: number
}

interface Sample {
  readonly at: number
  readonly time: number
  /** The database read its clock at an unknown moment of the round trip: the sample is wrong by up to half of it. */
  readonly errorMs: number
}

/**
 * The database's clock: the same for all processes on it, whatever their machines believe, so leases and
 * due times mean the same everywhere. Between measurements it is carried by this machine's monotonic
 * clock. A jump of the machine's own time changes nothing; a jump of the database's is followed within
 * 30 s, and at once after this machine slept.
 *
 * Before it is started it is the machine's own clock.
 */
export const makeDatabaseClock = (db: Db, log: Logger, sources: TimeSources = sourcesOf(db)): Clock & Service => {
  const { monotonic, wall } = sources
  let anchor: Anchor | undefined
  /** What the machine's time was ahead of the monotonic clock at the last measurement. */
  let wallOffset = 0

  const measure = async (): Promise<void> => {
    // Before anything can fail: a database that is down is not asked again for every reading.
    wallOffset = wall() - monotonic()
    anchor = follow(anchor, await quickest(sources), log)
  }
  const loop = startingWithRun(makeLoop({ name: 'clock', everyMs, log, run: measure }))

  return {
    ...loop,
    now() {
      if (anchor === undefined) return new Date(wall())
      const at = monotonic()
      // The monotonic clock stands still while the machine sleeps, the other one does not.
      if (Math.abs(wall() - at - wallOffset) > jumpMs) loop.kick()
      return new Date(timeAt(anchor, at))
    },
  }
}

const timeAt = ({ at, time, drift }: Anchor, now: number): number =>
  time + (now - at) + drift * Math.min(1, (now - at) / everyMs)

/** The anchor after a sample: what the sample proves wrong is corrected, and no more. */
const follow = (before: Anchor | undefined, { at, time, errorMs }: Sample, log: Logger): Anchor => {
  if (before === undefined) return { at, time, drift: 0 }
  const expected = timeAt(before, at)
  const difference = time - expected
  const proven = Math.sign(difference) * Math.max(0, Math.abs(difference) - errorMs)
  if (Math.abs(proven) <= jumpMs) return { at, time: expected, drift: proven }
  log.warn({ byMs: Math.round(difference) }, 'clock.jumped')
  return { at, time, drift: 0 }
}

const quickest = async (sources: TimeSources): Promise<Sample> => {
  const taken = [await sample(sources)]
  while (taken.length < samples) taken.push(await sample(sources))
  return taken.reduce((best, one) => (one.errorMs < best.errorMs ? one : best))
}

const sample = async ({ monotonic, database }: TimeSources): Promise<Sample> => {
  const asked = monotonic()
  const time = await database()
  const errorMs = (monotonic() - asked) / 2
  return { at: asked + errorMs, time, errorMs }
}

/** What time it is for the database, which every process shares, in milliseconds since 1970. */
export const databaseTime = async (db: Db | Tx): Promise<number> => {
  const query = sql<{ time: number }>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as time`
  const { rows } = await query.execute(db)
  if (rows[0] === undefined) throw new Error('The database did not tell the time.')
  return rows[0].time
}

const sourcesOf = (db: Db): TimeSources => ({
  database: () => databaseTime(db),
  monotonic: () => performance.now(),
  wall: () => Date.now(),
})
