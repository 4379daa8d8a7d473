import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tries } from '#testing/is-everything-wanted.ts'
import { nextHealth, type HealthRules, type HealthState, type Observation } from './health.ts'

const minute = 60_000
const day = 24 * 60 * minute
const rules: HealthRules = { failingAfter: 5, disabledAfterMs: 5 * day, probeEveryMs: 60 * minute }
const start = new Date('2026-11-21T09:30:00.000Z')
const at = (ms: number): Date => new Date(start.getTime() + ms)

const well: HealthState = {
  isActive: true,
  disabledReason: null,
  health: 'healthy',
  failures: 0,
  failingSince: null,
  lastSuccessAt: null,
  lastFailureAt: null,
  disabledAt: null,
  probeAt: null,
  pausedUntil: null,
  holdUntil: null,
}
const nothing: Observation = {
  lastSuccessAt: null,
  failures: 0,
  firstFailureAt: null,
  lastFailureAt: null,
  retryWaitMs: Infinity,
  isGone: false,
  holdUntil: null,
}
const failed = (times: number, ms: number, more: Partial<Observation> = {}): Observation => ({
  ...nothing,
  failures: times,
  firstFailureAt: at(ms),
  lastFailureAt: at(ms),
  ...more,
})
const succeeded = (ms: number): Observation => ({ ...nothing, lastSuccessAt: at(ms) })

/** A state that so many failures in a row have led to, the last of them at `ms`. */
const failing = (failures: number, ms = 0): HealthState => nextHealth(well, failed(failures, ms), rules, at(ms)).state

describe('an endpoint', () => {
  test.each<[number, HealthState['health'], string | null]>([
    [1, 'healthy', null],
    [4, 'healthy', null],
    [5, 'failing', 'failing'],
    [200, 'failing', 'failing'],
  ])('with %i failures in a row is %s', (times, health, change) => {
    const result = nextHealth(well, failed(times, 0), rules, start)
    expect(result).toMatchObject({ state: { health, failures: times, failingSince: start, isActive: true }, change })
  })

  test('adds failures up over batches, and counts from the last success', () => {
    const four = failing(4)
    expect(nextHealth(four, failed(1, 10), rules, at(10))).toMatchObject({
      state: { health: 'failing', failures: 5, failingSince: start },
      change: 'failing',
    })
    const between = { ...failed(4, 10), lastSuccessAt: at(5) }
    expect(nextHealth(four, between, rules, at(10))).toMatchObject({
      state: { health: 'healthy', failures: 4, failingSince: at(10), lastSuccessAt: at(5) },
      change: null,
    })
  })

  test('that is failing is reported once, and when it takes deliveries again', () => {
    const first = failing(5)
    expect(nextHealth(first, failed(3, 10), rules, at(10)).change).toBeNull()
    expect(nextHealth(first, succeeded(20), rules, at(20))).toMatchObject({
      state: { health: 'healthy', failures: 0, failingSince: null, pausedUntil: null },
      change: 'recovered',
    })
  })

  test.each<[number, number, number]>([
    [0, Infinity, 1_000],
    [1_500, Infinity, 1_500],
    [3_000, Infinity, 3_000],
    [minute, Infinity, minute],
    [day, Infinity, minute],
    [day, 3_000, 3_000],
    [day, 0, 1_000],
  ])('failing for %i ms, its own retries waiting %d ms, is left alone for %i ms', (ms, retryWaitMs, pause) => {
    const { state } = nextHealth(failing(50), failed(1, ms, { retryWaitMs }), rules, at(ms))
    expect(state.pausedUntil).toEqual(at(ms + pause))
  })

  test('is disabled after five days without one success, and not a moment sooner', () => {
    const long = failing(50)
    expect(nextHealth(long, failed(1, 5 * day - 1), rules, at(5 * day - 1)).state.health).toBe('failing')
    const over = nextHealth(long, failed(1, 5 * day), rules, at(5 * day))
    expect(over).toMatchObject({
      state: {
        health: 'disabled',
        isActive: false,
        disabledReason: 'failing',
        disabledAt: at(5 * day),
        probeAt: at(5 * day + 60 * minute),
      },
      change: 'disabled',
    })
  })

  test('with few failures, however old, is not disabled', () => {
    expect(nextHealth(failing(1), failed(1, 40 * day), rules, at(40 * day)).state).toMatchObject({
      health: 'healthy',
      isActive: true,
    })
  })

  test('that says it is gone is disabled at once, and never probed', () => {
    expect(nextHealth(well, failed(1, 0, { isGone: true }), rules, start)).toMatchObject({
      state: { health: 'disabled', isActive: false, disabledReason: 'gone', probeAt: null },
      change: 'disabled',
    })
  })
})

describe('a disabled endpoint', () => {
  const off = nextHealth(failing(50), failed(1, 5 * day), rules, at(5 * day)).state
  const probing: HealthState = { ...off, health: 'probing' }

  test('comes back with the first success', () => {
    for (const state of [off, probing]) {
      expect(nextHealth(state, succeeded(6 * day), rules, at(6 * day))).toMatchObject({
        state: {
          health: 'healthy',
          isActive: true,
          disabledReason: null,
          disabledAt: null,
          probeAt: null,
          failures: 0,
        },
        change: 'recovered',
      })
    }
  })

  test('stays off after a failed probe, silently, with the next one later', () => {
    expect(nextHealth(probing, failed(1, 6 * day), rules, at(6 * day))).toMatchObject({
      state: { health: 'disabled', isActive: false, disabledAt: at(5 * day), probeAt: at(6 * day + 60 * minute) },
      change: null,
    })
  })

  test.each(['gone', 'owner lost access', null])(
    'for another reason (%s) is not brought back by a success',
    (reason) => {
      const state: HealthState = { ...well, isActive: false, disabledReason: reason }
      expect(nextHealth(state, succeeded(10), rules, at(10))).toMatchObject({
        state: { isActive: false, disabledReason: reason, lastSuccessAt: at(10) },
        change: null,
      })
      expect(nextHealth(state, failed(9, 10, { isGone: true }), rules, at(10)).state.isActive).toBe(false)
    },
  )
})

test('Retry-After is remembered, the later of two', () => {
  const first = nextHealth(well, failed(1, 0, { holdUntil: at(90_000) }), rules, start).state
  expect(first.holdUntil).toEqual(at(90_000))
  expect(nextHealth(first, failed(1, 10, { holdUntil: at(50_000) }), rules, at(10)).state.holdUntil).toEqual(at(90_000))
})

describe('whatever happens', () => {
  const observation = fc.record({
    failures: fc.integer({ min: 0, max: 8 }),
    succeeds: fc.boolean(),
    isGone: fc.boolean(),
    waitMs: fc.integer({ min: 0, max: 3 * day }),
  })
  const histories = fc.array(observation, { maxLength: 40 })

  test('a state is one of those that have a meaning, and changes come in an order that makes sense', () => {
    const anyHistory = fc.property(histories, (history) => {
      let state = well
      let told: string | null = 'recovered'
      let ms = 0
      for (const { failures, succeeds, isGone, waitMs } of history) {
        ms += waitMs
        const seen: Observation = {
          ...(failures > 0 ? failed(failures, ms) : nothing),
          lastSuccessAt: succeeds ? at(ms) : null,
          isGone: isGone && failures > 0,
        }
        const next = nextHealth(state, seen, rules, at(ms))
        state = next.state
        // Nobody is told the same twice, nor of a recovery from nothing.
        expect(next.change).not.toBe(told)
        told = next.change ?? told
        expect(state.isActive).toBe(state.health === 'healthy' || state.health === 'failing')
        expect(state.disabledAt === null).toBe(state.isActive)
        expect(state.failingSince === null).toBe(state.failures === 0)
        expect(state.probeAt === null).toBe(state.disabledReason !== 'failing')
        expect(state.health === 'failing' && state.failures < rules.failingAfter).toBe(false)
      }
    })
    expect(() => fc.assert(anyHistory, tries(300, 2_000))).not.toThrow()
  })
})
