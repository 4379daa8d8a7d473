import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { DeliveryStatus } from '#delivery/tables/tables.ts'
import { mediaTypeOf, refuseEncoded } from './data-routes.ts'
import { encodingOf, payloadOf } from './run-routes.ts'
import { deliveriesIn, runStates, stateOf, type RunState } from './run-state.ts'

const cases: [DeliveryStatus, number, RunState][] = [
  ['pending', 0, 'queued'],
  ['pending', 1, 'running'],
  ['held', 0, 'queued'],
  ['held', 1, 'queued'],
  ['delivered', 1, 'succeeded'],
  ['failed', 2, 'failed'],
  ['cancelled', 0, 'failed'],
]

describe('the state of a run', () => {
  test.each(cases)('whose delivery is %s after %i attempts is %s', (status, attempts, state) => {
    expect(stateOf({ status, attempts })).toBe(state)
  })

  test.each(cases)('is found by exactly one filter: %s after %i attempts by %s', (status, attempts, state) => {
    const found = runStates.filter((name) => {
      const filter: { statuses: readonly DeliveryStatus[]; pendingTried?: boolean } = deliveriesIn[name]
      const isOfTry = filter.pendingTried === undefined || status !== 'pending' || attempts > 0 === filter.pendingTried
      return filter.statuses.includes(status) && isOfTry
    })
    expect(found).toEqual([state])
  })
})

describe('the payload of a run', () => {
  test('is text where it is UTF-8, byte order mark and NUL included', () => {
    for (const text of ['a', '\uFEFFa', 'a\0b', '🔑', '{"a":1}\r\n']) {
      const bytes = Buffer.from(text)
      expect([payloadOf(bytes), encodingOf(bytes)]).toEqual([text, 'utf-8'])
    }
  })

  test('is base64 where it is not', () => {
    const bytes = Buffer.from([0xff, 0])
    expect([payloadOf(bytes), encodingOf(bytes)]).toEqual(['/wA=', 'base64'])
  })

  test('stands for the bytes, whatever they are', () => {
    const property = fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const sent = Buffer.from(bytes)
      const shown = JSON.parse(JSON.stringify(payloadOf(sent))) as string
      expect(Buffer.from(shown, encodingOf(sent))).toEqual(sent)
    })
    fc.assert(property)
  })
})

describe('the headers of data', () => {
  test.each([
    [undefined, 'application/octet-stream'],
    ['text/csv', 'text/csv'],
    ['Text/CSV;Charset="utf-8" ; header=present', 'Text/CSV;Charset="utf-8" ; header=present'],
    ['application/vnd.api+json', 'application/vnd.api+json'],
  ])('%j goes on as %j', (header, type) => {
    expect(mediaTypeOf(header)).toBe(type)
  })

  test.each([
    [''],
    ['text'],
    ['text/'],
    ['/csv'],
    ['text/csv, text/plain'],
    ['a b/c'],
    ['text/ç'],
    [`a/${'b'.repeat(254)}`],
  ])('%j is no media type', (header) => {
    expect(() => mediaTypeOf(header)).toThrow(/not a media type/)
  })

  test('only identity is no packing', () => {
    for (const header of [undefined, '', 'identity', 'Identity']) expect(() => refuseEncoded(header)).not.toThrow()
    for (const header of ['gzip', 'identity, gzip', 'br', 'x']) expect(() => refuseEncoded(header)).toThrow(/unpack/)
  })
})
