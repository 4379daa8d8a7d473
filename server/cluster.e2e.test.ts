import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { seededRandom } from '#platform/seeded-random.ts'
import { clusterTroubles, primaryKilled } from '#testing/cluster/cluster-trouble.ts'
import { findClusterPrograms } from '#testing/cluster/programs.ts'
import { runCluster } from '#testing/cluster/run-cluster.ts'
import { startCluster } from '#testing/cluster/start-cluster.ts'
import { isEverythingWanted } from '#testing/is-everything-wanted.ts'

// A short part of `npm run chaos -- cluster`. How long nothing was answered is printed there, and only on a quiet machine says anything.

const directory = mkdtempSync(join(tmpdir(), 'waybill-servers-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const troubles = isEverythingWanted ? clusterTroubles : [primaryKilled]

test.skipIf(findClusterPrograms() === undefined)(
  'nothing that was answered is lost when the machine of the primary dies under several processes',
  { timeout: 600_000 },
  async () => {
    const cluster = await startCluster()
    try {
      const random = seededRandom(1)
      const report = await runCluster({ cluster, directory, troubles, random, clients: 8, pauseMs: 50 })
      process.stdout.write(`cluster: ${JSON.stringify(report)}\n`)
      expect(report.problems).toEqual([])
      expect(report.lost).toBe(0)
      expect(report.acknowledged).toBeGreaterThan(100)
      expect(report.statuses[202]).toBeGreaterThan(100)
    } finally {
      await cluster.stop()
    }
  },
)
