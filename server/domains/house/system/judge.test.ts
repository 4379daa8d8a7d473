import { expect, test } from 'vitest'
import type { Section, SystemFacts } from './facts.ts'
import { judgeSystem, worst } from './judge.ts'

const now = new Date('2026-11-21T09:30:00Z')
const well: SystemFacts = {
  version: '1.0.0',
  role: 'api',
  engine: 'postgres',
  uptimeSeconds: 60,
  database: { version: '16', sizeBytes: 1, latencyMs: 1, connections: 10, idle: 9, waiting: 0 },
  migrations: { applied: 60, expected: 60 },
  readiness: { reasons: {} },
  deliveries: { due: 3, pending: 3, waiting: 0, held: 0, inFlight: 1, oldestDueSeconds: 1 },
  subscriptions: { active: 3, failing: 0, switchedOff: 0 },
  invariants: { lost: 0, checkedAt: now, violations: [] },
  jobs: { queues: [{ queue: 'mails', waiting: 1, active: 0, failed: 0, oldestSeconds: 2 }] },
  processes: { seen: [{ id: 'a', works: true, seenAt: now }] },
  history: { eventDays: 90, attemptDays: 30, partitions: [], isOutside: false },
  mail: { isConfigured: true, waiting: 0, failed: 0, kept: 0 },
  disk: { freeBytes: 50e9, totalBytes: 100e9 },
}

test('an installation that is well is well in every part', () => {
  const judged = judgeSystem(well, now)
  expect(Object.values(judged).map(({ state }) => state)).toEqual(Array(11).fill('ok'))
  expect(judged.deliveries.text).toBe('3 deliveries are due and go out in time.')
})

const violation = { check: 'order_stuck', found: 1, meaning: 'a delivery waits for an earlier one' }
const queue = { queue: 'exports', waiting: 1, active: 0, failed: 0, oldestSeconds: 0 }
test.each<[Section, object, 'warn' | 'bad', RegExp]>([
  ['database', { latencyMs: 101 }, 'warn', /101 ms. That is slow/],
  ['database', { latencyMs: 1_001 }, 'bad', /holds everything up/],
  ['database', { waiting: 21 }, 'warn', /21 statements/],
  ['migrations', { applied: 59 }, 'bad', /59 migrations, this version has 60/],
  ['readiness', { reasons: { worker: 'Nobody works.' } }, 'bad', /^Nobody works.$/],
  ['deliveries', { oldestDueSeconds: 61 }, 'warn', /for 61 s/],
  ['deliveries', { due: 10_000 }, 'warn', /10000 deliveries are due/],
  ['deliveries', { oldestDueSeconds: 301 }, 'bad', /Nobody delivers/],
  ['subscriptions', { switchedOff: 2, failing: 1 }, 'warn', /switched off.*: 2. Active and failing: 1. See why/],
  ['subscriptions', { failing: 3 }, 'warn', /receiver fails: 3. See why/],
  ['invariants', { lost: 2 }, 'bad', /2 deliveries were found missing/],
  ['invariants', { violations: [violation] }, 'bad', /a delivery waits for an earlier one/],
  ['invariants', { checkedAt: new Date(now.getTime() - 31 * 60_000) }, 'warn', /have not been checked/],
  ['jobs', { queues: [{ ...queue, failed: 1 }] }, 'warn', /failed for good lately: exports/],
  ['jobs', { queues: [{ ...queue, oldestSeconds: 601 }] }, 'bad', /more than ten minutes: exports/],
  ['processes', { seen: [{ id: 'a', works: false, seenAt: now }] }, 'bad', /npm start -- --role worker/],
  ['history', { isOutside: true }, 'warn', /outside of the weeks/],
  ['mail', { isConfigured: false, kept: 4 }, 'warn', /no SMTP_URL.*4 messages/],
  ['mail', { failed: 2 }, 'warn', /2 messages/],
  ['disk', { freeBytes: 9e9 }, 'warn', /9.0 GB \(9 %\)/],
  ['disk', { freeBytes: 0.9e9, totalBytes: 2e9 }, 'bad', /Make room now/],
  ['disk', { freeBytes: 2e9 }, 'bad', /2.0 GB \(2 %\)/],
])('%s with %j is to look at', (section, fields, state, text) => {
  const facts = { ...well, [section]: { ...well[section], ...fields } }
  const judged = judgeSystem(facts, now)
  expect(judged[section]).toEqual({ state, text: expect.stringMatching(text) })
  expect(Object.values(judged).filter((one) => one.state !== 'ok')).toHaveLength(1)
})

test('what is held is said beside the subscriptions that it waits for', () => {
  const deliveries = { ...well.deliveries, held: 285 }
  const judge = (subscriptions: SystemFacts['subscriptions']) =>
    judgeSystem({ ...well, deliveries, subscriptions }, now).subscriptions
  expect(judge(well.subscriptions)).toEqual({ state: 'ok', text: 'No subscription fails. Held deliveries: 285.' })
  expect(judge({ active: 1, failing: 0, switchedOff: 2 })).toMatchObject({
    state: 'warn',
    text: expect.stringContaining('Held deliveries: 285.'),
  })
})

test('a whole is as bad as its worst part', () => {
  expect([worst(['ok', 'warn']), worst(['warn', 'bad', 'ok']), worst([])]).toEqual(['warn', 'bad', 'ok'])
})
