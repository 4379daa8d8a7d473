import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Schedule } from '#delivery/worker/schedule.ts'
import { Slots } from '#delivery/worker/slots.ts'
import { makeEndpointWorld } from './endpoint-world.ts'
import { percentile, type Figure } from './figure.ts'
import { scaled } from './scale.ts'
import { SimulatedWorker } from './simulated-worker.ts'
import { megabyte } from './start.ts'
import { VirtualTime } from './virtual-time.ts'

const endpoints = (): number => scaled(1_000_000)
const seconds = (): number => scaled(300, 60)
const perSecond = 2_000
const tails = { slow: 0.05, hangs: 0.01 }
/** Nothing is counted until windows have grown and those that hang are known. */
const warmUpSeconds = 30

interface Simulated {
  /** Milliseconds from due to begin of first attempts to ordinary endpoints, in ascending order. */
  readonly waits: readonly number[]
  /** Of them those to endpoints that had nothing before. */
  readonly firstWaits: readonly number[]
  readonly raised: number
  readonly begun: number
  readonly heard: number
  readonly failing: number
  readonly mostInFlight: number
}

/** What one process does to a million endpoints whose answers have long tails, in virtual time, and what it remembers of them. */
export const endpointsFigures = async (): Promise<Figure[]> => {
  const alone = simulate({ slow: 0, hangs: 0 }, 0)
  const withTails = simulate(tails, 0)
  const withBacklog = simulate(tails, endpoints())
  for (const [name, run] of Object.entries({ alone, withTails, withBacklog })) {
    const { raised, begun, heard, failing, mostInFlight } = run
    console.log(`  ${name}: ${JSON.stringify({ raised, begun, heard, failing, mostInFlight })}`)
  }
  const beside = (of: (run: Simulated) => number, run: Simulated) => ({ unit: 'ms', value: of(run), limit: of(alone) })
  const p =
    (share: number) =>
    ({ waits }: Simulated): number =>
      percentile(waits, share)
  const ofNew = ({ firstWaits }: Simulated): number => percentile(firstWaits, 0.99)
  return [
    { name: 'ordinary endpoints wait, p50, 5 % slow and 1 % hang', ...beside(p(0.5), withTails), reach: '' },
    { name: '… p99', ...beside(p(0.99), withTails), reach: '≤ 2 ×' },
    { name: '… p99.9', ...beside(p(0.999), withTails), reach: '' },
    { name: '… those that had nothing before, p99', ...beside(ofNew, withTails), reach: '≤ 2 ×' },
    { name: '… p99 while another one has as many due as endpoints', ...beside(p(0.99), withBacklog), reach: '≤ 2 ×' },
    memoryFigure('memory of a process that has delivered to all of them', 0),
    memoryFigure('… while a tenth of them wait for a retry', 0.1),
  ]
}

const simulate = (shares: { readonly slow: number; readonly hangs: number }, backlog: number): Simulated => {
  const count = endpoints()
  const world = makeEndpointWorld({ endpoints: count, ...shares })
  const time = new VirtualTime()
  const seen = new Uint8Array(count + 1)
  const [waits, firstWaits]: [number[], number[]] = [[], []]
  const tally = { raised: 0, begun: 0, heard: 0 }
  const worker = new SimulatedWorker(time, world, (endpoint, waitedMs, attempt) => {
    tally.begun += 1
    if (endpoint === count || attempt > 1) return
    const isFirst = seen[endpoint] === 0
    seen[endpoint] = 1
    if (isFirst) tally.heard += 1
    if (time.now < warmUpSeconds * 1_000 || world.temper(endpoint) !== 'ordinary') return
    waits.push(waitedMs)
    if (isFirst) firstWaits.push(waitedMs)
  })
  time.during(() => {
    if (backlog > 0) worker.raise(count, backlog)
    const raiseNext = (): void => {
      worker.raise(world.next())
      tally.raised += 1
      // By Poisson's law.
      time.after((-Math.log(1 - world.random()) * 1_000) / perSecond, raiseNext)
    }
    raiseNext()
    time.runUntil(seconds() * 1_000)
  })
  return { waits, firstWaits, ...tally, failing: worker.failing, mostInFlight: worker.mostInFlight }
}

/** Real timers of this process, and nothing else of a server. */
const memoryFigure = (name: string, retrying: number): Figure => {
  const before = usedBytes()
  const slots = new Slots({ capacity: 512, onRoom: () => undefined })
  const schedule = new Schedule({ capacity: 512, slots, onReady: () => undefined })
  const now = new Date()
  for (let endpoint = 0; endpoint < endpoints(); endpoint++) {
    schedule.wake([endpoint])
    for (const want of schedule.takeIdle()) schedule.claimed(want, 1)
    slots.complete(endpoint, 0, true)
    if (endpoint < retrying * endpoints())
      schedule.wakeAt(endpoint, 1, new Date(now.getTime() + 60_000 + endpoint), now)
  }
  const value = (usedBytes() - before) / megabyte
  schedule.stop()
  return { name, unit: 'MB', value, reach: '' }
}

const usedBytes = (): number => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  return process.memoryUsage().heapUsed
}
