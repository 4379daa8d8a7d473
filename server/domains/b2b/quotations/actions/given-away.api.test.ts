import { describe, expect, test } from 'vitest'
import { makeQuotationWorld } from '#testing/make-quotations.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const app = await makeTestApp()
const { call } = app
const world = await makeQuotationWorld(app)
const { ask, admin, mine, must, main, mainBuyer } = world

/** A draft of 3 chairs for 100.00 each. */
const draft = async () => {
  const { id, items } = await ask(mainBuyer, main)
  await admin(id, 'set-as-draft')
  const path = `/api/v1/quotations/${id}/`
  const discount = (body: object) => call('POST', `${path}discounts/`, body)
  return { id, path, item: items[0].id as number, discount }
}
const fixed = (value: string, item?: number) => ({ discount_type: 'fixed', value, ...(item && { item }) })

describe('a fixed discount', () => {
  test('is at most what is left when it is added', async () => {
    const { path, item, discount } = await draft()
    const over = await discount(fixed('300.01'))
    expect([over.statusCode, over.json()]).toEqual([400, { value: ['There is only 300.00 to take it from.'] }])
    await must(discount(fixed('100.00', item)))
    expect((await discount(fixed('200.01', item))).json()).toEqual({ value: ['There is only 200.00 to take it from.'] })
    expect((await discount(fixed('200.01'))).json()).toEqual({ value: ['There is only 200.00 to take it from.'] })
    const { discounts, net_amount: net } = await must(call('GET', path))
    expect([discounts.length, net]).toEqual([1, '200.00'])
    expect(await must(discount(fixed('200.00')))).toMatchObject({ net_amount: '0.00' })
  })

  test('is capped where terms change later, and does not keep them from changing', async () => {
    const { path, item, discount } = await draft()
    await must(discount(fixed('250.00')))
    const changed = await must(call('PATCH', path, { items: [{ id: item, quantity: 1 }] }))
    expect(changed).toMatchObject({ net_amount: '0.00', discounts: [{ value: '250.00', amount: '100.00' }] })
    await must(discount({ discount_type: 'percentage', value: '10' }))
  })
})

describe('a quotation that comes to 0', () => {
  /** Of which the whole price was taken off. */
  const free = async () => {
    const made = await draft()
    await must(made.discount({ discount_type: 'percentage', value: '100' }))
    return made
  }
  const refused = { code: 'net_amount_zero' }

  test('is approved by the seller only with confirm_zero, and says so before', async () => {
    const { id, path } = await free()
    expect((await must(call('GET', path))).blocked_actions.approve).toContain('confirm_zero')
    for (const body of [undefined, {}, { confirm_zero: false }]) {
      const answer = await call('POST', `${path}approve/`, body)
      expect([answer.statusCode, answer.json()]).toMatchObject([400, refused])
    }
    expect(await admin(id, 'approve', { confirm_zero: true })).toMatchObject({ status: 'approved' })
    // Once more there is nothing to confirm.
    expect(await admin(id, 'approve')).toMatchObject({ status: 'approved' })
  })

  test('is sent, and approved by its owner only with confirm_zero', async () => {
    const { id } = await free()
    await admin(id, 'send-approval-request')
    const path = `/api/v1/my-quotations/${id}/approve/`
    expect((await mainBuyer.call('POST', path)).json()).toMatchObject(refused)
    const approved = await mainBuyer.call('POST', path, { confirm_zero: true })
    expect(approved.json()).toMatchObject({ status: 'approved', net_amount: '0.00' })
  })

  test('is not what another one is asked to confirm', async () => {
    const { id } = await draft()
    expect(await admin(id, 'approve', { confirm_zero: true })).toMatchObject({ status: 'approved' })
    const rejected = await ask(mainBuyer, main)
    const unknown = await call('POST', `/api/v1/quotations/${rejected.id}/reject/`, { confirm_zero: true })
    expect(unknown.statusCode).toBe(400)
    expect(await mine(mainBuyer, rejected.id, 'cancel')).toMatchObject({ status: 'cancelled' })
  })
})
