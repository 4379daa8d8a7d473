import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { randomInt } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { migrate, readMigrations } from '#platform/db/migrate.ts'
import { openDatabase } from '#platform/db/open.ts'
import { ForgetfulDisk } from '#testing/power/forgetful-disk.ts'
import { readJournal, type Recorded } from '#testing/power/journal.ts'
import { isEverythingWanted } from '#testing/is-everything-wanted.ts'
import { startProgram } from '#testing/processes/start-program.ts'
import { makeReceiver } from '#testing/receiver.ts'
import { seededRandom } from '#platform/seeded-random.ts'
import { checkEverything } from './upkeep/check-everything.ts'

/** POWER_SEED repeats the same cuts; what the program did until then still differs. */
const seed = Number(process.env['POWER_SEED'] ?? randomInt(1_000_000_000))
const cuts = isEverythingWanted ? 200 : 4

const directory = mkdtempSync(join(tmpdir(), 'waybill-power-'))
const receiver = await makeReceiver()
afterAll(() => rmSync(directory, { recursive: true, force: true }))

test(
  `nothing that was answered is lost when the power goes at a random moment (seed ${seed})`,
  { timeout: cuts * 30_000 },
  async () => {
    const disk = join(directory, 'disk')
    const journal = await record(disk)
    const random = seededRandom(seed)
    const moments = Array.from({ length: cuts }, () => momentIn(journal, random)).toSorted((a, b) => a - b)
    const forgetful = new ForgetfulDisk(disk)
    const answers = new Map<string, number[]>()
    const losses: string[] = []
    for (const [index, moment] of moments.entries()) {
      for (const entry of journal.slice(moments[index - 1] ?? 0, moment)) {
        forgetful.apply(entry)
        if (entry.kind === 'answered') answers.set(entry.name, [...(answers.get(entry.name) ?? []), entry.value])
      }
      const left = join(directory, `left-${index}`)
      forgetful.cut(left, random)
      losses.push(...(await lossesOf(left, answers)).map((loss) => `cut at ${moment} of ${journal.length}: ${loss}`))
      rmSync(left, { recursive: true })
    }
    expect(losses).toEqual([])
  },
)

/** What a program did from its first start on. */
const record = async (disk: string): Promise<Recorded[]> => {
  mkdirSync(disk)
  const program = startProgram('server/testing/power/load.ts', {
    args: [join(disk, 'database'), receiver.url],
    directory: process.cwd(),
    environment: { ...process.env, POWER_DISK: disk, NODE_OPTIONS: '--import ./server/testing/power/record-disk.ts' },
  })
  let errors = ''
  program.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  const [status] = (await once(program, 'close')) as [number | null]
  if (status !== 0) throw new Error(`The program ended with ${status}: ${errors}`)
  return readJournal(disk)
}

/** Every eighth while the database is made; that takes most of the writes. */
const momentIn = (journal: readonly Recorded[], random: () => number): number => {
  const made = journal.findIndex((entry) => entry.kind === 'answered')
  const [from, to] = random() < 1 / 8 ? [0, made] : [made, journal.length]
  return from + Math.floor(random() * (to - from))
}

/** What the database lacks of the answers, opened as a server opens it. */
const lossesOf = async (left: string, answers: ReadonlyMap<string, readonly number[]>): Promise<string[]> => {
  try {
    const database = await openDatabase({ directory: join(left, 'database'), poolSize: 1 })
    try {
      await migrate(database, await readMigrations())
      const { db } = database
      const events = await db.selectFrom('events').select('objectId').execute()
      const subscriptions = await db.selectFrom('subscriptions').select('id').execute()
      const there = new Set(events.map(({ objectId }) => Number(objectId)))
      const lost = (answers.get('event') ?? []).filter((id) => !there.has(id))
      const seen = Math.max(0, ...(answers.get('events seen') ?? []))
      const promised = answers.get('subscriptions')?.at(-1) ?? 0
      const { rows: withoutDelivery } = await sql`
        select 1 from events where not exists (select 1 from deliveries where deliveries.event_id = events.id)`.execute(
        db,
      )
      const findings = await checkEverything(db, { repair: false, eventDays: 90, attemptDays: 30, settleMs: 0 })
      return [
        ...(lost.length > 0 ? [`${lost.length} events that were answered`] : []),
        ...(there.size < seen ? [`${seen - there.size} events that somebody had read`] : []),
        ...(subscriptions.length < promised ? ['a subscription'] : []),
        ...(withoutDelivery.length > 0 ? [`deliveries of ${withoutDelivery.length} events`] : []),
        ...findings.filter(({ found }) => found > 0).map((finding) => JSON.stringify(finding)),
      ]
    } finally {
      await database.close()
    }
  } catch (error) {
    return [`the database: ${String(error)}`]
  }
}
