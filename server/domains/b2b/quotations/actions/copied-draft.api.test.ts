import { describe, expect, test } from 'vitest'
import type { Buyer } from '#testing/data/make-buyers.ts'
import { makeQuotationWorld, type Pieces } from '#testing/make-quotations.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const app = await makeTestApp()
const { call } = app
const world = await makeQuotationWorld(app)
const { mainBuyer, branch, chair, admin, mine, must } = world
const lamp = await world.product({ price: 1_250 })
const shelf = await world.product({ price: 2_000 })

let owner: Buyer
/** A quotation of a new owner, whose basket is empty, as a draft. */
const drafted = async (pieces: Pieces) => {
  owner = await world.buyer(branch)
  const made = await world.ask(owner, branch, pieces)
  await mine(mainBuyer, made.id, 'approve-pending-request')
  await admin(made.id, 'set-as-draft')
  return made
}
const theirs = (id: number, rest = '') => must(owner.call('GET', `/api/v1/my-quotations/${id}/${rest}`))
const duplicateOf = (id: number) => must(owner.call('POST', `/api/v1/my-quotations/${id}/duplicate/`))
const remove = (id: number, item: number) => must(call('DELETE', `/api/v1/quotations/${id}/products/${item}/`))
/** What there is in a basket or in terms, by what the platform calls it. */
const piecesIn = (items: readonly { product_remote_id: number | string; quantity: number }[]) =>
  Object.fromEntries(items.map((item) => [String(item.product_remote_id), item.quantity]))

/** Three chairs and two shelves at 10 % less, as they were sent. In the draft the shelves are gone, and lamps nobody knows of. */
const edited = async () => {
  const { id, items } = await drafted({ [chair]: 3, [shelf]: 2 })
  await admin(id, 'discounts', { discount_type: 'percentage', value: 10, item: items[0].id })
  await admin(id, 'send-approval-request')
  await admin(id, 'set-as-draft')
  const sent = await theirs(id)
  await must(call('PATCH', `/api/v1/quotations/${id}/`, { items: [{ id: items[0].id, price: '10' }] }))
  await admin(id, 'discounts', { discount_type: 'fixed', value: 1 })
  await admin(id, 'products', { product_remote_id: lamp, divisions: [{ id: branch, quantity: 2 }] })
  await remove(id, items[1].id)
  return { id, sent }
}
/** Of a product as it is now: no terms. */
const looks = ['base_code', 'category', 'image', 'attributes']
const without = (rows: readonly Record<string, unknown>[], ...names: string[]) =>
  rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name))))

describe('a copy of a draft that the back office made', () => {
  test('shows its owner what they knew of the original, until it is sent', async () => {
    const { id, sent } = await edited()
    const copy = await admin(id, 'duplicate')
    expect(piecesIn(copy.items)).toEqual({ [chair]: 3, [lamp]: 2 })
    expect(copy).toMatchObject({ status: 'draft', revision: 1, total_amount: '55.00', net_amount: '51.00' })

    const shown = await theirs(copy.id)
    const { terms: first } = await theirs(copy.id, 'revisions/1/')
    for (const known of [shown, first]) {
      expect(known).toMatchObject({ total_amount: sent.total_amount, net_amount: sent.net_amount })
      expect(without(known.items, 'id', ...looks)).toEqual(without(sent.items, 'id', ...looks))
      expect(without(known.discounts, 'id', 'item', 'created_at')).toEqual(
        without(sent.discounts, 'id', 'item', 'created_at'),
      )
      // Its items are those of the copy, as far as they are in it.
      expect(known.items[0].id).toBe(copy.items[0].id)
      expect(known.discounts[0]).toMatchObject({ id: copy.discounts[0].id, item: copy.items[0].id })
    }
    const list = await must(owner.call('GET', `/api/v1/my-quotations/?number=${copy.number}`))
    expect(list.results).toMatchObject([{ total_amount: sent.total_amount, net_amount: sent.net_amount }])
    expect(piecesIn((await duplicateOf(copy.id)).basket_items)).toEqual({ [chair]: 3, [shelf]: 2 })

    await admin(copy.id, 'send-approval-request')
    expect(await theirs(copy.id)).toMatchObject({ revision: 2, total_amount: '55.00', net_amount: '51.00' })
    const { items } = await theirs(copy.id, 'revisions/1/diff/2/')
    const changes = items.map(({ before, after }: Record<string, { price: string } | null>) => [
      before?.price,
      after?.price,
    ])
    expect(changes).toEqual([
      ['100.00', '10.00'],
      ['20.00', undefined],
      [undefined, '12.50'],
    ])
  })

  test('is known as the original was, also when it is copied again', async () => {
    const { id, sent } = await edited()
    const second = await admin((await admin(id, 'duplicate')).id, 'duplicate')
    expect(without((await theirs(second.id)).items, 'id')).toEqual(without(sent.items, 'id'))
    expect(piecesIn((await duplicateOf(second.id)).basket_items)).toEqual({ [chair]: 3, [shelf]: 2 })
  })

  test('is a new revision only when it was approved as something else', async () => {
    const { id } = await edited()
    expect(await admin((await admin(id, 'duplicate')).id, 'approve')).toMatchObject({ revision: 2 })
    const same = await world.ask(mainBuyer, world.main)
    expect(await admin((await admin(same.id, 'duplicate')).id, 'approve')).toMatchObject({ revision: 1 })
  })
})

describe('what was removed from a draft', () => {
  const rename = async (remoteId: string, to: string) => {
    const { results } = await must(call('GET', `/api/v1/products/?remote_id=${remoteId}`))
    await must(call('PATCH', `/api/v1/products/${results[0].id}/`, { remote_id: to }))
  }
  /** A draft of two products, of which the first is gone, and what it was called is the name of `heir` now. */
  const swapped = async (heir: 'second' | 'other') => {
    const [first, second, other] = [await world.product(), await world.product(), await world.product()]
    const { id, items } = await drafted({ [first]: 1, [second]: 2 })
    await remove(id, items[0].id)
    await rename(first, `${first}-old`)
    await rename({ second, other }[heir], first)
    return { id, first, second }
  }
  test('is still the same product when the platform calls another one so', async () => {
    const ofSecond = await swapped('second')
    expect(piecesIn((await duplicateOf(ofSecond.id)).basket_items)).toEqual({
      [`${ofSecond.first}-old`]: 1,
      [ofSecond.first]: 2,
    })
    const ofOther = await swapped('other')
    expect(piecesIn((await duplicateOf(ofOther.id)).basket_items)).toEqual({
      [`${ofOther.first}-old`]: 1,
      [ofOther.second]: 2,
    })
    // A copy knows them too.
    const copy = await admin(ofOther.id, 'duplicate')
    expect(piecesIn((await duplicateOf(copy.id)).basket_items)).toEqual({
      [`${ofOther.first}-old`]: 1,
      [ofOther.second]: 2,
    })
  })

  test('is another product than one that is called so now, when its owner is asked for consent', async () => {
    const { id, first } = await swapped('other')
    await admin(id, 'products', { product_remote_id: first, divisions: [{ id: branch, quantity: 1 }] })
    await must(call('PATCH', '/api/v1/settings/', { QUOTATION_OWNER_CONSENT_REQUIRED: true }))
    const answer = await call('POST', `/api/v1/quotations/${id}/approve/`)
    await must(call('PATCH', '/api/v1/settings/', { QUOTATION_OWNER_CONSENT_REQUIRED: false }))
    expect([answer.statusCode, answer.json()]).toMatchObject([400, { code: 'owner_consent_required' }])
  })
})
