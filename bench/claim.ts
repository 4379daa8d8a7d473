import { claim, type Want } from '#delivery/queue/claim.ts'
import { finish } from '#delivery/queue/finish.ts'
import { nextDue, release } from '#delivery/queue/queue.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { endOf } from '#testing/make-deliveries.ts'
import { median, type Figure } from './figure.ts'
import { benchSettings, openBenchEngine, type BenchEngine } from './open-engine.ts'
import { scaled } from './scale.ts'
import { seedDue } from './seed.ts'

const subscriptions = 1_000
const weeks = 4
/** What a worker under load asks for at once: 250 in all. */
const wanted = 25
const ofEachWanted = 10
const few = 10_000
const many = (): number => scaled(5_000_000, 2 * few)
const rounds = 200
const finishingRounds = 24

interface Backlog {
  readonly bench: BenchEngine
  readonly ids: readonly number[]
}

/** One thing that is timed, in a turn of its own. */
type Measured = (backlog: Backlog, round: number) => Promise<number>

/** What a claim costs on PostgreSQL with 5,000,000 due, beside the same with 10,000 due, measured in turns. */
export const claimCost = async (): Promise<Figure[]> => {
  const [small, large] = [await openBacklog(few), await openBacklog(many())]
  const compare = async (name: string, measured: Measured, times = rounds): Promise<Figure> => {
    const costs: [number[], number[]] = [[], []]
    for (let round = -5; round < times; round++) {
      for (const [index, backlog] of [small, large].entries()) {
        const cost = await measured(backlog, round + 5)
        if (round >= 0) costs[index]?.push(cost)
      }
    }
    const [limit, value] = costs.map(median)
    return { name, unit: 'ms', value: value ?? Number.NaN, limit: limit ?? Number.NaN, reach: '≤ 1.2 ×' }
  }
  const backlog = `${many().toLocaleString('en')} due`
  const figures = [
    await compare(`claim and release of 250, ${backlog}`, claimAndRelease),
    await compare(`look for what is due, ${backlog}`, ({ bench }) => timed(() => nextDue(bench.database.db))),
    // Last, because it uses deliveries up, of which the smaller backlog has few.
    await compare(`claim and finish of 250, ${backlog}`, claimAndFinish, finishingRounds),
  ]
  await small.bench.close()
  await large.bench.close()
  return figures
}

const openBacklog = async (due: number): Promise<Backlog> => {
  const bench = await openBenchEngine('postgres')
  const { db } = bench.database
  const ids = await inTransaction(db, async (tx) => {
    const made: number[] = []
    const settings = { ...benchSettings, url: 'http://127.0.0.1:9/' }
    for (let count = 0; count < subscriptions; count++) made.push(await bench.engine.subscriptions.create(tx, settings))
    return made
  })
  await seedDue(bench.database, {
    scope: 'back-office',
    subscriptionIds: ids,
    ofEach: Math.ceil(due / subscriptions),
    weeks,
  })
  return { bench, ids }
}

/** Other subscriptions each time, so that none is claimed out of the cache of the time before. */
const wantsOf = ({ ids }: Backlog, round: number): Want[] =>
  Array.from({ length: wanted }, (_, index) => {
    const subscriptionId = ids[(round * wanted + index) % ids.length] ?? 0
    return { subscriptionId, lane: 0, limit: ofEachWanted }
  })

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now()
  await work()
  return performance.now() - start
}

const claimAll = async (backlog: Backlog, round: number) => {
  const claims = await claim(backlog.bench.database.db, new Date(), wantsOf(backlog, round))
  if (claims.length !== wanted * ofEachWanted) throw new Error(`${claims.length} were claimed.`)
  return claims
}

const claimAndRelease: Measured = (backlog, round) =>
  timed(async () => release(backlog.bench.database.db, await claimAll(backlog, round)))

const claimAndFinish: Measured = (backlog, round) =>
  timed(async () => {
    const claims = await claimAll(backlog, round)
    await finish(
      backlog.bench.database.db,
      claims.map((claimed) => endOf(claimed, new Date())),
    )
  })
