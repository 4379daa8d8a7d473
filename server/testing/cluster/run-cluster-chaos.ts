import { inDirectory } from '../chaos/places.ts'
import { clusterTroubles, type ClusterTrouble } from './cluster-trouble.ts'
import { runCluster, type ClusterReport } from './run-cluster.ts'
import { startCluster } from './start-cluster.ts'

export interface ClusterChaosOptions {
  readonly minutes: number
  readonly random: () => number
  readonly say: (line: string) => void
}

/** What a failover may take. */
const mostPauseSeconds = 15

/** `npm run chaos -- cluster`: one trouble after the other for some minutes. @returns whether all that must hold held. */
export const runClusterChaos = async ({ minutes, random, say }: ClusterChaosOptions): Promise<boolean> => {
  const cluster = await startCluster()
  say(`three database machines in ${cluster.directory}`)
  const untilMs = performance.now() + minutes * 60_000
  const run = (directory: string) =>
    runCluster({ cluster, directory, troubles: dealUntil(untilMs, random), random, clients: 16, pauseMs: 50, say })
  const report = await inDirectory(run).catch(async (error: unknown) => {
    await cluster.stop({ keep: true })
    throw error
  })
  const isGood = report.lost === 0 && report.problems.length === 0
  await cluster.stop({ keep: !isGood })
  sayReport(report, say)
  return isGood
}

/** All of them in an order by chance, again and again. */
function* dealUntil(untilMs: number, random: () => number): Generator<ClusterTrouble> {
  for (;;) {
    const deck = clusterTroubles.map((trouble) => ({ trouble, place: random() }))
    for (const { trouble } of deck.toSorted((a, b) => a.place - b.place)) {
      if (performance.now() > untilMs) return
      yield trouble
    }
  }
}

const sayReport = ({ pauses, problems, ...figures }: ClusterReport, say: (line: string) => void): void => {
  say('\nseconds without a 2xx answer | without a delivery | after')
  for (const { trouble, answers, deliveries } of pauses)
    say(`${String(answers).padStart(28)} | ${String(deliveries).padStart(18)} | ${trouble}`)
  const longest = Math.max(...pauses.flatMap(({ answers, deliveries }) => [answers, deliveries]))
  say(
    `longest pause ${longest} s, at most ${mostPauseSeconds} s: ${longest <= mostPauseSeconds ? 'reached' : 'missed'}`,
  )
  for (const problem of problems) say(`PROBLEM ${problem}`)
  say(JSON.stringify({ ...figures, pauses, problems: problems.length }))
}
