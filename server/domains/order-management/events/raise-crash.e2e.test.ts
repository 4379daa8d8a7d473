import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { afterAll, expect, test, vi } from 'vitest'
import { catalogue } from '#events/catalogue.ts'
import { hookSecret, prepareServer, serverEnvironment } from '#testing/chaos/prepare-server.ts'
import { eventually } from '#testing/eventually.ts'
import { isEverythingWanted } from '#testing/is-everything-wanted.ts'
import { createDatabase } from '#testing/open-test-database.ts'
import { installDatabase } from '#testing/processes/install-database.ts'
import { startServer } from '#testing/processes/server-process.ts'
import { makeReceiver, type Receiver } from '#testing/receiver.ts'

const clients = 64
const kills = isEverythingWanted ? 20 : 1
const directory = mkdtempSync(join(tmpdir(), 'waybill-raise-'))
const agent = new Agent({ connections: clients })
afterAll(async () => {
  await agent.destroy()
  rmSync(directory, { recursive: true, force: true })
})
const database = await createDatabase()
afterAll(database.remove)

const { example } = catalogue['package.created']
const eventOf = (number: number) => ({
  id: `event ${number}`,
  type: 'package.created',
  data: { ...example, id: number },
})

/** What clients were answered: the events that are stored by the word of a server, and those that nobody knows of. */
class Answers {
  readonly accepted = new Set<number>()
  readonly unanswered = new Set<number>()
  readonly surprises: string[] = []
  duplicates = 0

  /** Raises an event alone. @returns whether there was an answer. */
  async raise(origin: string, authorization: string, number: number): Promise<boolean> {
    try {
      const answer = await request(`${origin}/api/v1/events/`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify(eventOf(number)),
        dispatcher: agent,
      })
      const text = await answer.body.text()
      if (answer.statusCode !== 202) this.surprises.push(`${answer.statusCode} ${text}`)
      if (text.includes('"duplicates":1')) this.duplicates += 1
      this.accepted.add(number)
      this.unanswered.delete(number)
      return true
    } catch {
      this.unanswered.add(number)
      return false
    }
  }
}

/** The numbers of the packages that arrived, with the ids that they had: one for each hook. */
const arrivals = (receiver: Receiver): Map<number, Set<string>> => {
  const ids = new Map<number, Set<string>>()
  for (const { body, headers } of receiver.received) {
    const { payload, data = payload } = JSON.parse(body.toString()) as Record<string, { id: number }>
    const id = data?.id ?? 0
    ids.set(id, (ids.get(id) ?? new Set()).add(String(headers['webhook-id'])))
  }
  return ids
}
const arrivedTwice = (receiver: Receiver) => [...arrivals(receiver)].filter(([, ids]) => ids.size === 2)

const prepare = async (name: string, environment: Readonly<Record<string, string>>) => {
  const place = join(directory, name)
  mkdirSync(place, { recursive: true })
  const receiver = await makeReceiver()
  const data = join(place, 'data')
  if (!('DATABASE_URL' in environment)) installDatabase(data)
  const start = () => startServer({ ...serverEnvironment, DATA_DIR: data, ...environment }, place)
  const server = await start()
  const { origin } = server
  const options = {
    origin,
    // A hook of each envelope.
    eventTypes: ['package.created', 'package.created'],
    receiverUrl: receiver.url,
    secret: hookSecret,
    locations: 0,
  }
  return { receiver, start, server, ...(await prepareServer(options)) }
}

test.concurrent.each([
  ['embedded', {}],
  ['postgres', { DATABASE_URL: database.url }],
] as const)(
  'of events that 64 clients raise one by one, none that was accepted is lost when servers are killed (%s)',
  { timeout: 240_000 },
  async (name, environment) => {
    const { receiver, start, server: first, authorization } = await prepare(name, environment)
    const answers = new Answers()
    let number = 0
    let server = first
    for (let kill = 0; kill < kills; kill++) {
      const { origin } = server
      const accepted = answers.accepted.size
      const load = Array.from({ length: clients }, async () => {
        while (await answers.raise(origin, authorization, (number += 1)));
      })
      await eventually(() => expect(answers.accepted.size).toBeGreaterThan(accepted + clients))
      await sleep(Math.random() * 300)
      await server.kill()
      await Promise.all(load)
      server = await start()
      for (const unanswered of answers.unanswered) await answers.raise(server.origin, authorization, unanswered)
    }
    expect([answers.unanswered.size, answers.surprises]).toEqual([0, []])
    // Leases of killed servers last 30 s, and the look that finds what they left comes within 5 s.
    await vi.waitFor(() => expect(arrivedTwice(receiver)).toHaveLength(number), { timeout: 60_000, interval: 250 })
    expect(arrivals(receiver).size).toBe(number)
    expect(await server.stop()).toBe(0)
    expect(server.errors).toEqual([])
  },
)

test(
  'two servers that are sent the same ids at the same time store each once, and one of them says so',
  { timeout: 120_000 },
  async () => {
    const shared = await createDatabase()
    const { receiver, start, server, authorization } = await prepare('two', { DATABASE_URL: shared.url })
    const other = await start()
    const numbers = Array.from({ length: 200 }, (_, index) => index + 1)
    const sides = await Promise.all(
      [server, other].map(async ({ origin }) => {
        const answers = new Answers()
        await Promise.all(numbers.map((each) => answers.raise(origin, authorization, each)))
        return answers
      }),
    )
    expect(sides.flatMap(({ surprises }) => surprises)).toEqual([])
    expect(sides.map(({ accepted }) => accepted.size)).toEqual([200, 200])
    expect(sides.reduce((sum, { duplicates }) => sum + duplicates, 0)).toBe(200)
    await eventually(() => expect(arrivedTwice(receiver)).toHaveLength(200))
    expect(await Promise.all([server.stop(), other.stop()])).toEqual([0, 0])
    expect(receiver.received).toHaveLength(400)
    await shared.remove()
  },
)
