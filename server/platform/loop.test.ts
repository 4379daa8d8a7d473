import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { eventually } from '#testing/eventually.ts'
import { makeLoop } from './loop.ts'

const log = pino({ level: 'silent' })

test('the first run of a loop begins at its start, which does not wait for its end', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  let runs = 0
  const run = async (): Promise<void> => {
    runs += 1
    if (runs === 1) await promise
  }
  const loop = makeLoop({ name: 'loop', everyMs: 5, log, run })
  await loop.start()
  expect(runs).toBe(1)
  await sleep(30)
  expect(runs).toBe(1)
  resolve()
  await eventually(() => expect(runs).toBeGreaterThan(2))
  await loop.stop()
  const before = runs
  await sleep(20)
  expect(runs).toBe(before)
})

test('a loop that runs seldom runs first a second after its start, or when it is kicked', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  let runs = 0
  const run = async () => void (runs += 1)
  const loop = makeLoop({ name: 'loop', everyMs: 10_000, log, run })
  await loop.start()
  await vi.advanceTimersByTimeAsync(999)
  expect(runs).toBe(0)
  await vi.advanceTimersByTimeAsync(1)
  expect(runs).toBe(1)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(runs).toBe(2)
  await loop.stop()
  await loop.start()
  loop.kick()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(runs).toBe(3)
  await loop.stop()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(runs).toBe(3)
})

test('a stop of a loop cuts the run short and waits for its last step', async () => {
  const steps: string[] = []
  const run = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      await sleep(10)
      steps.push('step')
    }
    steps.push('end')
  }
  const loop = makeLoop({ name: 'loop', everyMs: 1_000, log, run })
  await loop.start()
  await sleep(25)
  await loop.stop()
  expect(steps.at(-1)).toBe('end')
})

test('kicks during a run of a loop ask for one more, and none before its start or after its stop', async () => {
  let runs = 0
  let underWay = 0
  const run = async (): Promise<void> => {
    expect((underWay += 1)).toBe(1)
    runs += 1
    await sleep(5)
    underWay -= 1
  }
  const loop = makeLoop({ name: 'loop', log, run })
  loop.kick()
  expect(runs).toBe(0)
  await loop.start()
  for (let kick = 0; kick < 5; kick++) loop.kick()
  await loop.idle()
  expect(runs).toBe(2)
  loop.kick()
  expect(runs).toBe(3)
  await loop.stop()
  loop.kick()
  await loop.idle()
  expect(runs).toBe(3)
})

test('the next run of a loop comes when it is due, and after one that fails as late as planned', async () => {
  const outcomes: Promise<void>[] = []
  const run = () => {
    const outcome = outcomes.length === 0 ? Promise.resolve() : Promise.reject(new Error('odd'))
    outcomes.push(outcome)
    return outcome
  }
  const loop = makeLoop({ name: 'loop', everyMs: 60_000, log, run, dueInMs: async () => 5 })
  await loop.start()
  await eventually(() => expect(outcomes).toHaveLength(2))
  await sleep(30)
  expect(outcomes).toHaveLength(2)
  await loop.stop()
})
