import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { deliveryIdOf, webhookIdOf } from './webhook-id.ts'

const here = '7d3f4f5c-5a53-4f0e-9a55-0f2f8f3f7c11'
const elsewhere = '00000000-0000-4000-8000-000000000000'
const ids = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })

describe('the webhook-id of a delivery', () => {
  test('is a UUIDv7 that carries the time of the delivery', () => {
    const at = Date.UTC(2026, 10, 21, 9, 30, 0, 123)
    const id = (at - Date.UTC(2026, 0, 1)) * 4_096 + 77
    const webhookId = webhookIdOf(id, here)
    expect(webhookId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(parseInt(webhookId.replaceAll('-', '').slice(0, 12), 16)).toBe(at)
    expect(webhookId.slice(15, 18)).toBe('04d')
  })

  test('leads back to the delivery, in either case', () => {
    fc.assert(
      fc.property(ids, (id) => {
        expect(deliveryIdOf(webhookIdOf(id, here), here)).toBe(id)
        expect(deliveryIdOf(webhookIdOf(id, here).toUpperCase(), here)).toBe(id)
      }),
    )
  })

  test('has the form of a UUIDv7 for every id', () => {
    fc.assert(
      fc.property(ids, (id) => {
        expect(webhookIdOf(id, here)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      }),
    )
  })

  test('of another installation leads nowhere', () => {
    fc.assert(
      fc.property(ids, (id) => {
        expect(deliveryIdOf(webhookIdOf(id, elsewhere), here)).toBeUndefined()
      }),
    )
  })

  test.each([
    ['', 'empty'],
    ['019aa4e2-0000-7000-8000-000000000000', 'never made here'],
    ['d960acbe-4193-44b8-b254-df115cf6d2e7', 'a random UUID'],
    ['00000000-0000-7000-8000-000000000000', 'before the first id'],
    ['ffffffff-ffff-7fff-bfff-ffffffffffff', 'beyond the last id'],
    [`${webhookIdOf(4_096, here)}0`, 'too long'],
  ])('%s (%s) leads nowhere', (text) => {
    expect(deliveryIdOf(text, here)).toBeUndefined()
  })
})
