import { hourMs } from '#platform/clock.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { openDatabase, type DatabaseLocation } from '#platform/db/open.ts'
import { crashAtSteps, type StepOutcome } from '#testing/chaos/crash-at-steps.ts'
import { databaseTroubles } from '#testing/chaos/database-trouble.ts'
import { openOwnPostgres } from '#testing/chaos/places.ts'
import { runClockJumps } from '#testing/chaos/run-clock-jumps.ts'
import { runDatabaseTroubles } from '#testing/chaos/run-database-troubles.ts'
import { runReceiverTroubles } from '#testing/chaos/run-receiver-troubles.ts'
import { steps } from '#testing/chaos/steps.ts'
import { isEverythingWanted } from '#testing/is-everything-wanted.ts'
import { createDatabase } from '#testing/open-test-database.ts'
import { installDatabase } from '#testing/processes/install-database.ts'
import { seededRandom } from '#platform/seeded-random.ts'

// A short part of `npm run chaos`. Everything here mostly waits, so all of it runs at once.

const scratch = mkdtempSync(join(tmpdir(), 'waybill-chaos-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const newLocation = async (engine: string): Promise<DatabaseLocation> => {
  if (engine === 'embedded') {
    const directory = mkdtempSync(join(scratch, 'data-'))
    installDatabase(directory)
    return { directory: join(directory, 'database'), poolSize: 1 }
  }
  const { url, remove } = await createDatabase()
  afterAll(remove)
  return { url, directory: '', poolSize: 10 }
}
const locations = {
  crashes: { embedded: await newLocation('embedded'), postgres: await newLocation('postgres') },
  receivers: { embedded: await newLocation('embedded'), postgres: await newLocation('postgres') },
  clock: await newLocation('postgres'),
}
const postgres = await openOwnPostgres()
afterAll(() => postgres.close())

const timeout = 180_000
const engines = ['embedded', 'postgres'] as const

/** The embedded database has no connections that could break, and takes long to start: there one moment of each kind. */
const onEmbedded = new Set([
  'in the commit',
  'after sending, before the answer',
  'before the end is written',
  ...(isEverythingWanted
    ? [
        'before the commit',
        'after the commit, before the wake',
        'after the claim, before sending',
        'while the end is written',
      ]
    : []),
])
const stepsOf = { postgres: steps, embedded: steps.filter(({ name }) => onEmbedded.has(name)) }

const rowOf = ({ step, lost, repeated, unknown, recoveredMs }: StepOutcome): string =>
  `  ${step.name.padEnd(42)} lost ${lost}, repeated ${repeated}, unknown ${unknown}, recovered in ${Math.round(recoveredMs)} ms`

describe.concurrent('nothing is lost', { timeout }, () => {
  test.each(engines)('when a process dies at any step, or its connection breaks there (%s)', async (engine) => {
    const location = locations.crashes[engine]
    const settings = engine === 'postgres' ? ({ order: 'object' } as const) : {}
    const outcomes = await crashAtSteps({ location, steps: stepsOf[engine], random: seededRandom(1), settings })
    process.stdout.write(`crash steps, ${engine}:\n${outcomes.map(rowOf).join('\n')}\n`)
    expect(outcomes.flatMap(({ step, problems }) => problems.map((problem) => `${step.name}: ${problem}`))).toEqual([])
    expect(outcomes).toHaveLength(engine === 'postgres' ? 14 : onEmbedded.size)
    expect(outcomes.filter(({ lost }) => lost > 0)).toEqual([])
    // Those steps really were in the middle of something.
    const repeated = outcomes.filter((outcome) => outcome.repeated > 0).map(({ step }) => step.name)
    expect(repeated).toEqual(expect.arrayContaining(['after sending, before the answer', 'before the end is written']))
  })

  test('when PostgreSQL restarts and connections break, and the server goes on by itself', async () => {
    const url = await postgres.createDatabase()
    const directory = mkdtempSync(join(scratch, 'server-'))
    // That a connection gone silent is noticed is waited for elsewhere.
    const troubles = databaseTroubles.filter(({ name }) => name !== 'connections gone silent')
    // What meets a trouble is what eight clients have under way; their rest in between is processor time saved.
    const pauseMs = isEverythingWanted ? 20 : 100
    const report = await runDatabaseTroubles({ ...postgres, url, directory, troubles, pauseMs })
    process.stdout.write(`database trouble: ${JSON.stringify(report.statuses)}, lost ${report.lost}\n`)
    expect(report.problems).toEqual([])
    expect(report.lost).toBe(0)
    expect(report.acknowledged).toBeGreaterThan(8 * troubles.length)
    const outages = new Set(troubles.filter(({ isOutage }) => isOutage).map(({ name }) => name))
    const readiness = report.outcomes.filter(({ trouble }) => outages.has(trouble)).map((outcome) => outcome.readiness)
    for (const statuses of readiness) {
      expect(statuses).toContain(503)
      expect(statuses.at(-1)).toBe(200)
    }
  })

  // The trouble is outside: it meets the same code on either database.
  const withReceivers = engines.filter((engine) => isEverythingWanted || engine === 'postgres')
  test.each(withReceivers)('when receivers break, hang, drip, flood and lie (%s)', async (engine) => {
    const database = await openDatabase(locations.receivers[engine])
    const report = await runReceiverTroubles({ database, random: seededRandom(1), troubleMs: 2_000, ofEach: 1 })
    await database.close()
    process.stdout.write(`receiver trouble, ${engine}: ${JSON.stringify(report)}\n`)
    expect(report.problems).toEqual([])
    expect(report.lost).toBe(0)
  })

  // An embedded database jumps with its machine: what was raised in a time that never was is due when that comes.
  test.each([
    { engine: 'embedded', hours: [1, -24, 24] },
    { engine: 'postgres', hours: [24, -1, 0] },
  ] as const)('when the time of the machine jumps by hours and days ($engine)', async ({ engine, hours }) => {
    const directory = mkdtempSync(join(scratch, 'server-'))
    if (engine === 'embedded') installDatabase(join(directory, 'data'))
    const offsets = hours.map((hour) => hour * hourMs)
    const { url } = engine === 'postgres' ? locations.clock : {}
    const report = await runClockJumps({
      directory,
      ...(url === undefined ? {} : { url }),
      offsets,
      random: seededRandom(1),
    })
    process.stdout.write(`clock jumps, ${engine}: ${JSON.stringify(report)}\n`)
    expect(report.problems).toEqual([])
    expect(report.lost).toBe(0)
    expect(report.acknowledged).toBeGreaterThan(5)
  })
})
