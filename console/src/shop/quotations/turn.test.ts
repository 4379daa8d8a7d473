import { describe, expect, test } from 'vitest'
import type { Status } from './queries.ts'
import { stepsOf, turnOf } from './turn.ts'

const statuses: readonly Status[] = [
  'request_approval',
  'pending',
  'draft',
  'sending_approval_request',
  'approved',
  'rejected',
  'cancelled',
  'expired',
]

describe('whose turn it is', () => {
  test('is said of the owner and of the head office', () => {
    expect(statuses.map((status) => [status, turnOf(status, 'owner').actor, turnOf(status, 'main').actor])).toEqual([
      ['request_approval', 'head_office', 'you'],
      ['pending', 'seller', 'seller'],
      ['draft', 'seller', 'seller'],
      ['sending_approval_request', 'you', 'owner'],
      ['approved', 'nobody', 'nobody'],
      ['rejected', 'nobody', 'nobody'],
      ['cancelled', 'nobody', 'nobody'],
      ['expired', 'nobody', 'nobody'],
    ])
  })
})

describe('how far it has come', () => {
  const told = (status: Status, revision: number, isOfBranch = true): string =>
    stepsOf({ status, revision }, isOfBranch)
      .map(({ name, state }) => `${name} ${state}`)
      .join(', ')

  test.each([
    ['request_approval', 1, 'asked done, head_office now, offer ahead, orders ahead'],
    ['pending', 1, 'asked done, head_office done, offer now, orders ahead'],
    ['sending_approval_request', 2, 'asked done, head_office done, offer now, orders ahead'],
    ['approved', 2, 'asked done, head_office done, offer done, orders done'],
    ['rejected', 1, 'asked ended, head_office ahead, offer ahead, orders ahead'],
    ['cancelled', 3, 'asked done, head_office done, offer ended, orders ahead'],
  ] as const)('%s at revision %i', (status, revision, steps) => {
    expect(told(status, revision)).toBe(steps)
  })

  test('a main division asks nobody before the seller', () => {
    expect(told('pending', 1, false)).toBe('asked done, offer now, orders ahead')
  })
})
