import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { makeBackgroundJob } from './background-job.ts'

const log = pino({ level: 'silent' })

test('the first run begins at the start, which does not wait for its end', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  let runs = 0
  const run = async (): Promise<void> => {
    runs += 1
    if (runs === 1) await promise
  }
  const job = makeBackgroundJob({ name: 'job', everyMs: 5, log, run })
  await job.start()
  expect(runs).toBe(1)
  await sleep(30)
  expect(runs).toBe(1)
  resolve()
  await vi.waitFor(() => expect(runs).toBeGreaterThan(2), { timeout: 10_000, interval: 5 })
  await job.stop()
  const before = runs
  await sleep(20)
  expect(runs).toBe(before)
})

test('a stop cuts the run short and waits for its last step', async () => {
  const steps: string[] = []
  const run = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      await sleep(10)
      steps.push('step')
    }
    steps.push('end')
  }
  const job = makeBackgroundJob({ name: 'job', everyMs: 1_000, log, run })
  await job.start()
  await sleep(25)
  await job.stop()
  expect(steps.at(-1)).toBe('end')
  expect(steps.length).toBeLessThan(10)
})
