import { describe, expect, test } from 'vitest'
import { releaseStatuses as statuses, type ReleaseStatus } from '#events/projects.ts'
import { AppError } from '#platform/errors.ts'
import { describeTransitions, newStatusProblem, refuseChanges } from './lifecycle.ts'

/** What is said of each field; nothing when the changes are allowed. */
const problemsOf = (from: ReleaseStatus, changes: Parameters<typeof refuseChanges>[2]) => {
  try {
    refuseChanges('deployment', from, changes)
    return {}
  } catch (error) {
    return error instanceof AppError ? error.details.fields : error
  }
}

const allowed = new Set(['created → succeeded', 'created → failed', 'created → canceled'])
const pairs = statuses.flatMap((from) => statuses.map((to) => ({ from, to, move: `${from} → ${to}` })))

test.each(pairs.filter(({ move }) => allowed.has(move)))('$move is a move', ({ from, to }) => {
  expect(problemsOf(from, { status: to })).toEqual({})
})

test.each(pairs.filter(({ move }) => !allowed.has(move)))('$move is refused, by status', ({ from, to }) => {
  expect(problemsOf(from, { status: to })).toEqual({
    status: [expect.stringMatching(new RegExp(`^The deployment is ${from} and cannot become ${to}: .*\\.$`))],
  })
})

describe.each(statuses)('of one that is %s', (from) => {
  test('another field can be changed only before the outcome', () => {
    const refused = [`The deployment is ${from} and cannot be changed any more.`]
    expect(problemsOf(from, { tag: 'x' } as object)).toEqual(from === 'created' ? {} : { tag: refused })
  })
})

test('the API description has the table', () => {
  expect(describeTransitions()).toBe(
    'Statuses that can follow: created → succeeded, failed, canceled. The others are final.',
  )
})

test('something new is created and nothing else', () => {
  expect(statuses.map((status) => newStatusProblem('deployment', status) === undefined)).toEqual([
    true,
    false,
    false,
    false,
  ])
  expect(newStatusProblem('deployment')).toBeUndefined()
})
