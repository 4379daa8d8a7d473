import { describe, expect, test } from 'vitest'
import { backOfficeEventTypes } from '#events/catalogue.ts'
import { nearNames, parseEventName, unknownEventMessage } from './event-name.ts'

describe('an event name', () => {
  test.each([
    ['package-created', 'package.created'],
    ['package.created', 'package.created'],
    ['package-status-packed_for_refund', 'package.status.packed_for_refund'],
    ['package.status-packed_for_refund', 'package.status.packed_for_refund'],
    ['stock_location-created', 'stock_location.created'],
  ])('%s means %s', (name, event) => {
    expect(parseEventName(name)).toBe(event)
  })

  test('of the catalogue is understood with dots and with hyphens', () => {
    for (const name of backOfficeEventTypes) {
      expect(parseEventName(name)).toBe(name)
      expect(parseEventName(name.replaceAll('.', '-'))).toBe(name)
    }
  })

  test.each([
    '',
    'package',
    'package_created',
    'stock-location-created',
    'package.status.packed.for.refund',
    'Package.Created',
    ' package.created',
    'toString',
    '__proto__',
  ])('%j is unknown', (name) => {
    expect(parseEventName(name)).toBeUndefined()
  })
})

describe('the names offered for an unknown one', () => {
  test.each([
    ['package-create', 'package.created'],
    ['Package.Created', 'package.created'],
    ['stock-location-created', 'stock_location.created'],
    ['package.packed_for_refund', 'package.status.packed_for_refund'],
    ['package-status-cancelled', 'package.status.cancelled'],
  ])('for %s begin with %s', (name, near) => {
    expect(nearNames(name, backOfficeEventTypes)[0]).toBe(near)
  })

  test('are at most three, and none for what looks like nothing', () => {
    expect(nearNames('package.status', backOfficeEventTypes).length).toBeLessThanOrEqual(3)
    expect(nearNames('zzzzzzzzzzzz', backOfficeEventTypes)).toEqual([])
    expect(unknownEventMessage('zzzzzzzzzzzz', '/w/hooks/registry/')).toBe(
      'There is no event of this name. GET /w/hooks/registry/ lists all of them.',
    )
  })
})
