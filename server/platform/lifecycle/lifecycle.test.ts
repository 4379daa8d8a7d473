import { describe, expect, test } from 'vitest'
import { AppError } from '#platform/errors.ts'
import { describeAction, describeStatuses } from './lifecycle-text.ts'
import { makeLifecycle, type Terms } from './lifecycle.ts'

interface DoorTerms extends Terms {
  readonly status: 'open' | 'shut' | 'walled_up'
  readonly action: 'close' | 'open' | 'wall-up'
  readonly code: 'not_so' | 'locked' | 'somebody_inside'
  readonly facts: { readonly isLocked?: boolean; readonly inside?: readonly string[] }
  readonly surface: 'front' | 'back'
  readonly actor: 'guest' | 'keeper'
}

const door = makeLifecycle<DoorTerms>({
  statuses: ['open', 'shut', 'walled_up'],
  conditions: {
    not_so: { says: 'A door that is {status} does not allow {action}, but {allowed}.' },
    locked: { says: 'It is locked.', applies: ({ isLocked }) => isLocked === true },
    somebody_inside: {
      says: 'Somebody is inside.',
      details: ({ inside = [] }) => inside,
      applies: ({ inside = [] }) => inside.length > 0,
    },
  },
  otherwise: 'not_so',
  rules: [
    { action: 'close', from: { open: { to: 'shut' } } },
    { action: 'open', surface: 'front', actors: ['guest'], from: { shut: { to: 'open', conditions: ['locked'] } } },
    { action: 'open', surface: 'back', from: { shut: { to: 'open' } } },
    {
      action: 'wall-up',
      surface: 'back',
      actors: ['keeper'],
      from: {
        open: { refused: 'somebody_inside' },
        shut: { to: 'walled_up', conditions: ['somebody_inside', 'locked'] },
      },
    },
  ],
})
const guest = { surface: 'front', actors: ['guest'] } as const
const keeper = { surface: 'back', actors: ['guest', 'keeper'] } as const

describe('an action', () => {
  test('leads where its rule says, on its surface', () => {
    expect(door.decide('close', { status: 'open' })).toEqual({ to: 'shut' })
    expect(door.decide('open', { status: 'shut', isLocked: true }, keeper)).toEqual({ to: 'open' })
  })

  test('is refused by the first condition that applies, and what is not known refuses nothing', () => {
    const inside = ['Ayşe', 'Can']
    expect(door.decide('wall-up', { status: 'shut', isLocked: true, inside }, keeper)).toEqual({
      refused: 'somebody_inside',
    })
    expect(door.decide('wall-up', { status: 'shut', isLocked: true }, keeper)).toEqual({ refused: 'locked' })
    expect(door.decide('wall-up', { status: 'shut' }, keeper)).toMatchObject({ to: 'walled_up' })
  })

  test('is refused by a status with the code of the rule, else with that of the life cycle', () => {
    expect(door.decide('wall-up', { status: 'open' }, keeper)).toEqual({ refused: 'somebody_inside' })
    expect(door.decide('close', { status: 'walled_up' })).toEqual({ refused: 'not_so' })
  })

  test.each([
    ['on another surface', { surface: 'front', actors: ['keeper'] }],
    ['for another actor', { surface: 'back', actors: ['guest'] }],
    ['for nobody in particular', {}],
  ] as const)('is forbidden %s, whatever the status', (_, part) => {
    for (const status of door.statuses)
      expect(door.decide('wall-up', { status }, part)).toEqual({ refused: 'forbidden' })
  })
})

describe('a refusal', () => {
  const refusalOf = (act: () => unknown) => {
    try {
      return act()
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return [error.status, error.code, error.message, error.details.allowedActions]
    }
  }

  test('says why, with names, and what is allowed instead', () => {
    const shut = { status: 'shut', inside: ['Ayşe', 'Can'] } as const
    expect(refusalOf(() => door.permit('wall-up', shut, keeper))).toEqual([
      400,
      'somebody_inside',
      'Somebody is inside: Ayşe, Can.',
      ['open'],
    ])
    expect(refusalOf(() => door.permit('close', { status: 'shut' }, guest))).toEqual([
      400,
      'not_so',
      'A door that is shut does not allow close, but open.',
      ['open'],
    ])
  })

  test('of what is for others is 403', () => {
    expect(refusalOf(() => door.permit('wall-up', { status: 'shut' }, guest))).toContain('forbidden')
  })
})

test('everybody is told what is allowed, and why not the rest that is for them', () => {
  const shut = { status: 'shut', isLocked: true } as const
  expect(door.allowedActions(shut, guest)).toEqual([])
  expect(door.blockedActions(shut, guest)).toEqual({
    close: 'A door that is shut does not allow close, but nothing else.',
    open: 'It is locked.',
  })
})

test('the conditions whose facts have to be known are those of the part and the status', () => {
  expect([...door.conditionsOf('shut', guest)]).toEqual(['locked'])
  expect([...door.conditionsOf('shut', keeper)]).toEqual(['somebody_inside', 'locked'])
  expect([...door.conditionsOf('open', keeper)]).toEqual([])
})

test('an API description names the moves', () => {
  expect(describeAction(door, 'open', 'front')).toContain('Possible moves: shut → open. ')
  expect(describeStatuses(door, keeper)).toBe('open → close; shut → open, wall-up')
})

test('a rule that leaves out a status is a bug where no code stands for that', () => {
  const { otherwise: _, ...strict } = door
  const [close] = [{ action: 'close', from: { open: { to: 'shut' } } } as const]
  expect(() => makeLifecycle<DoorTerms>({ ...strict, rules: [close] })).toThrow('The rule of close leaves out shut.')
})
