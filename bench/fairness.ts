import type { Engine } from '#platform/db/database.ts'
import { median, percentile, type Figure } from './figure.ts'
import { openBenchEngine, type BenchEngine } from './open-engine.ts'
import { scaled } from './scale.ts'
import { seedDue } from './seed.ts'
import { startReceiver, type BenchReceiver } from './start-receiver.ts'
import { measureWaits } from './waits.ts'

/** Endpoints that are well, and their events: 10 × 20 deliveries a second. */
const healthy = 10
const perSecond = 20
const runs = 3

interface Trouble {
  readonly name: string
  /** Makes it, before the engine starts. */
  make(bench: BenchEngine, receiver: BenchReceiver): Promise<void>
}

const troubles: readonly Trouble[] = [
  {
    name: 'half of all hang',
    make: async (bench, receiver) => {
      for (let number = 0; number < healthy; number++) await bench.subscribe(receiver.url('hang', number))
    },
  },
  {
    name: 'one answers byte by byte',
    make: async (bench, receiver) => void (await bench.subscribe(receiver.url('drip'))),
  },
  {
    name: 'one has 1,000,000 due',
    make: async (bench, receiver) => {
      const subscriptionIds = [await bench.subscribe(receiver.url('hook'), { scope: 'elsewhere' })]
      const seed = { scope: 'elsewhere', subscriptionIds, ofEach: scaled(1_000_000), weeks: 2 }
      await seedDue(bench.database, seed)
    },
  },
]

/** Of healthy endpoints, p99 from commit to arrival while others are in trouble, beside the same when there are no others. */
export const fairness = async (name: Engine): Promise<Figure[]> => {
  const alone: number[] = []
  const troubled = troubles.map((): number[] => [])
  for (let run = 0; run < runs; run++) {
    alone.push(await oneRun(name))
    for (const [index, trouble] of troubles.entries()) troubled[index]?.push(await oneRun(name, trouble))
  }
  return troubles.map((trouble, index) => ({
    name: `p99 of healthy endpoints, ${name}, ${trouble.name}`,
    unit: 'ms',
    value: median(troubled[index] ?? []),
    limit: median(alone),
    reach: '≤ 2 × alone',
  }))
}

/** The healthy endpoints and those in trouble have a receiver process each: one must not wait for the other there. */
const oneRun = async (name: Engine, trouble?: Trouble): Promise<number> => {
  const [receiver, other] = [await startReceiver(), await startReceiver()]
  const bench = await openBenchEngine(name)
  await trouble?.make(bench, other)
  for (let number = 0; number < healthy; number++) await bench.subscribe(receiver.url('timed', number))
  await bench.engine.start()
  const measure = (seconds: number) => measureWaits({ bench, receiver, endpoints: healthy, seconds, perSecond })
  await measure(scaled(3))
  const waits = await measure(scaled(10))
  await bench.close()
  receiver.stop()
  other.stop()
  return percentile(waits, 0.99)
}
