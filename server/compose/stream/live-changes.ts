import type { Logger } from 'pino'
import type { Engine } from '#delivery/engine.ts'
import type { Db } from '#platform/db/database.ts'
import type { EventStreams } from '#platform/http/event-streams/event-streams.ts'
import type { Service } from '#platform/supervisor.ts'
import type { Audience } from './audience.ts'
import { busyChanges, otherChanges } from './changes.ts'
import { makeTail } from './tail.ts'
import { lookFirst, maxRows, readBusy, readOthers } from './tail-store.ts'

export interface LiveChangesDeps {
  readonly db: Db
  readonly log: Logger
  readonly streams: EventStreams<Audience>
  readonly engine: Pick<Engine, 'onWake' | 'listenToWritten'>
  /** What has to run besides while somebody watches. */
  readonly makeChecks: () => Service
}

const lookEveryMs = 1_000
/** Nobody wakes who watches when an event is stored that no subscription listens to. */
const lookForEventsEveryMs = 500
/** Looks are as far apart, so that what happens together is told together. */
const gapMs = 100
/** Telling many takes time from all others, so they are told less often. */
const gapOfStreamMs = 0.1
/** Who lost their connection finds what they missed for so long after the last stream has ended. */
const lingerMs = 30_000

/**
 * Reads what changes in the database, here or in other processes, and publishes it to the streams of this process. Runs
 * only while somebody watches.
 */
export const makeLiveChanges = (deps: LiveChangesDeps) => {
  const { streams, engine } = deps
  let running: Promise<Watch> | undefined
  let lingering: NodeJS.Timeout | undefined
  let watch: Watch | undefined
  engine.onWake(() => watch?.kick())

  const start = async (): Promise<Watch> => {
    watch = await startWatch(deps)
    return watch
  }
  const stop = async (): Promise<void> => {
    clearTimeout(lingering)
    const stopping = running
    running = undefined
    await (await stopping)?.stop()
    // What happens from now on nobody will know, unless somebody watches again already.
    if (running === undefined) streams.reset()
  }

  return {
    /** Resolves when what is committed from now on will be published. Call `release` when a stream has ended. */
    start: async (): Promise<void> => {
      clearTimeout(lingering)
      running ??= start()
      try {
        await running
      } catch (error) {
        running = undefined
        throw error
      }
    },
    release: (): void => {
      if (streams.size > 0) return
      clearTimeout(lingering)
      lingering = setTimeout(() => void stop(), lingerMs)
    },
    stop,
  }
}

interface Watch {
  kick(): void
  stop(): Promise<void>
}

const startWatch = async (deps: LiveChangesDeps): Promise<Watch> => {
  const { streams, engine, makeChecks } = deps
  const busy = makeBusyTail(deps)
  const stopListening = await engine.listenToWritten(busy.notice, () => streams.reset())
  const services = [busy, makeOtherTail(deps), makeChecks()]
  const stop = async (): Promise<void> => {
    await Promise.all([stopListening(), ...services.map((service) => service.stop())])
  }
  try {
    await Promise.all(services.map((service) => service.start()))
  } catch (error) {
    await stop()
    throw error
  }
  return { kick: busy.kick, stop }
}

const shared = ({ streams, log, db }: LiveChangesDeps) => ({
  log,
  everyMs: lookEveryMs,
  first: () => lookFirst(db),
  onFound: streams.publish.bind(streams),
  onLost: streams.reset.bind(streams),
})

const makeBusyTail = (deps: LiveChangesDeps) => {
  let written = new Set<number>()
  const tail = makeTail({
    ...shared(deps),
    name: 'live changes: deliveries',
    everyMs: lookForEventsEveryMs,
    gapMs: () => gapMs + gapOfStreamMs * deps.streams.size,
    read: async (looks) => {
      const asked = [...written]
      written = new Set()
      try {
        const { look, ...rows } = await readBusy(deps.db, looks, asked.slice(-maxRows))
        return { look, found: busyChanges(rows) }
      } catch (error) {
        written = new Set([...asked, ...written])
        throw error
      }
    },
  })
  return {
    ...tail,
    /** Takes note of deliveries of which an attempt was written. */
    notice: (ids: readonly number[]): void => {
      for (const id of ids) written.add(id)
      tail.kick()
    },
  }
}

const makeOtherTail = (deps: LiveChangesDeps) =>
  makeTail({
    ...shared(deps),
    name: 'live changes: others',
    gapMs: () => lookEveryMs,
    read: async (looks) => {
      const { look, ...rows } = await readOthers(deps.db, looks)
      return { look, found: otherChanges(rows) }
    },
  })
