import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import { sql } from 'kysely'
import { dayMs } from '#platform/clock.ts'
import { tries } from '#testing/is-everything-wanted.ts'
import type { Buyer } from '#testing/data/make-buyers.ts'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { makeQuotationWorld } from '#testing/make-quotations.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const clock = makeFakeClock(new Date('2026-11-21T09:30:00.000Z'))
const app = await makeTestApp({ clock })
const { call, database } = app
const world = await makeQuotationWorld(app)
const { ask, admin, mine, must, division, buyer } = world
await must(call('PATCH', '/api/v1/settings/', { IS_SUB_DIVISION_QUOTATION_APPROVAL_REQUIRED: false }))
// A chair costs 100.00 EUR.
const yen = await world.product({ price: 1_000, currency: 'JPY' })

const limit = (id: number, amount: string | null) =>
  must(call('PATCH', `/api/v1/divisions/${id}/`, { monthly_order_limit: amount }))
/** A main division of which a month comes to at most 1,000.00, and two branches. */
const company = async (amount: string | null = '1000.00') => {
  const main = await division()
  const [north, south] = [await division({ parent: main }), await division({ parent: main })]
  await limit(main, amount)
  const [chief, ofNorth, ofSouth] = [await buyer(main), await buyer(north), await buyer(south)]
  return { main, north, south, chief, ofNorth, ofSouth }
}
const chairs = (pieces: number) => ({ [world.chair]: pieces })
/** Asks for chairs whether or not there is room. */
const tryToAsk = async (who: Buyer, forDivision: number, pieces: number) => {
  await who.call('PUT', '/api/v1/basket/', { product_remote_id: world.chair, division: forDivision, quantity: pieces })
  return who.call('POST', '/api/v1/my-quotations/', { name: 'Order' })
}
const refusal = (sentence: string) => ({
  code: 'monthly_limit_exceeded',
  non_field_errors: [expect.stringContaining(sentence)],
})
const remaining = async (who: Buyer) => {
  const basket = (await who.call('GET', '/api/v1/basket/')).json()
  const { results } = (await who.call('GET', '/api/v1/my-divisions/')).json()
  return [basket.remaining, ...(results as { remaining: string | null }[]).map((one) => one.remaining)]
}

describe('the limit of a month', () => {
  test('counts what a division and its branches ask for, and refuses what would exceed it', async () => {
    const { main, north, south, chief, ofNorth, ofSouth } = await company()
    const { name } = await limit(main, '1000.00')
    await ask(ofNorth, north, chairs(4))
    await ask(chief, main, chairs(3))
    expect([await remaining(ofSouth), await remaining(chief)]).toEqual([
      ['300.00', '300.00'],
      ['300.00', '300.00', '300.00', '300.00'],
    ])
    const refused = await tryToAsk(ofSouth, south, 4)
    const sentence = `the limit of ${name} for November 2026 is 1000.00 EUR, of which 700.00 is used and 300.00 is left, and this comes to 400.00.`
    expect([refused.statusCode, refused.json()]).toMatchObject([400, refusal(sentence)])
    // The basket is as it was, and what fits exactly is taken.
    expect((await ofSouth.call('GET', '/api/v1/basket/')).json()).toMatchObject({ total_amount: '400.00' })
    await must(tryToAsk(ofSouth, south, 3))
    expect(await remaining(ofSouth)).toEqual(['0.00', '0.00'])
  })

  test('is the tightest of all above a division, and of none beside it', async () => {
    const { north, south, ofNorth, ofSouth } = await company()
    await limit(north, '200.00')
    expect([await remaining(ofNorth), await remaining(ofSouth)]).toEqual([
      ['200.00', '200.00'],
      ['1000.00', '1000.00'],
    ])
    expect((await tryToAsk(ofNorth, north, 3)).statusCode).toBe(400)
    await must(tryToAsk(ofSouth, south, 3))
  })

  test('is none where it is 0 or was never set', async () => {
    const { north, ofNorth } = await company('0.00')
    await ask(ofNorth, north, chairs(500))
    expect(await remaining(ofNorth)).toEqual([null, null])
  })

  test('is of a month in UTC, that in which a quotation was made', async () => {
    const { north, ofNorth } = await company('300.00')
    clock.advance(Date.parse('2026-11-30T23:59:59.999Z') - clock.now().getTime())
    const november = await ask(ofNorth, north, chairs(2))
    expect((await tryToAsk(ofNorth, north, 2)).statusCode).toBe(400)
    clock.advance(1)
    expect(await remaining(ofNorth)).toEqual(['300.00', '300.00'])
    await must(tryToAsk(ofNorth, north, 3))
    // What is changed in December counts in November, where it was made.
    await admin(november.id, 'set-as-draft')
    const [{ id }] = november.items
    const edit = (quantity: number) =>
      call('PATCH', `/api/v1/quotations/${november.id}/`, { items: [{ id, quantity }] })
    expect((await edit(4)).json()).toMatchObject(refusal('for November 2026 is 300.00 EUR, of which 0.00 is used'))
    await must(edit(3))
  })

  test('is compared with each currency by itself', async () => {
    const { north, ofNorth } = await company('1000.50')
    await ask(ofNorth, north, chairs(9))
    await ask(ofNorth, north, { [yen]: 1 })
    // A fraction of a yen is none.
    expect(await remaining(ofNorth)).toEqual(['0.00', '0.00'])
    const put = await ofNorth.call('PUT', '/api/v1/basket/', { product_remote_id: yen, division: north, quantity: 1 })
    expect(put.json()).toMatchObject({ currency: 'JPY', remaining: '0' })
    const refused = await ofNorth.call('POST', '/api/v1/my-quotations/', { name: 'Order' })
    expect(refused.json()).toMatchObject(
      refusal('is 1000.50 JPY, of which 1000 is used and 0 is left, and this comes to 1000.'),
    )
  })

  test('does not count what was cancelled, rejected or is due, and counts what is taken up again', async () => {
    const { north, ofNorth } = await company('300.00')
    const [cancelled, rejected, due] = [
      await ask(ofNorth, north, chairs(1)),
      await ask(ofNorth, north, chairs(1)),
      await ask(ofNorth, north, chairs(1)),
    ]
    expect((await tryToAsk(ofNorth, north, 1)).statusCode).toBe(400)
    await mine(ofNorth, cancelled.id, 'cancel')
    await admin(rejected.id, 'reject')
    // Nobody has looked at it since its time was over.
    await sql`update quotations set expires_at = ${new Date(clock.now().getTime() - 1)} where id = ${due.id}`.execute(
      database.db,
    )
    expect(await remaining(ofNorth)).toEqual(['300.00', '300.00'])
    await must(tryToAsk(ofNorth, north, 3))
    for (const [{ id }, body] of [
      [rejected, {}],
      [due, { expires_at: new Date(clock.now().getTime() + dayMs).toISOString() }],
    ] as const) {
      const again = await call('POST', `/api/v1/quotations/${id}/set-as-draft/`, body)
      expect([again.statusCode, again.json()]).toMatchObject([
        400,
        {
          ...refusal('of which 300.00 is used and 0.00 is left, and this comes to 100.00.'),
          allowed_actions: expect.not.arrayContaining(['set-as-draft']),
        },
      ])
      expect((await must(call('GET', `/api/v1/quotations/${id}/`))).blocked_actions).toHaveProperty('set-as-draft')
    }
    await limit(north, null)
    await limit((await must(call('GET', `/api/v1/divisions/${north}/`))).root, '400.00')
    await admin(rejected.id, 'set-as-draft')
  })

  test('refuses edits and copies that make it dearer, and never those that do not', async () => {
    const { main, north, ofNorth } = await company('500.00')
    const { id, items } = await ask(ofNorth, north, chairs(4))
    await admin(id, 'set-as-draft')
    const path = `/api/v1/quotations/${id}/`
    const edit = (changes: object) => call('PATCH', path, { items: [{ id: items[0].id, ...changes }] })
    expect((await edit({ quantity: 6 })).json()).toMatchObject(refusal('of which 0.00 is used and 500.00 is left'))
    expect((await edit({ price: '125.01' })).json()).toMatchObject({ code: 'monthly_limit_exceeded' })
    await must(edit({ price: '125.00' }))
    const { discounts } = await must(call('POST', `${path}discounts/`, { discount_type: 'percentage', value: '50' }))
    expect((await call('POST', `${path}duplicate/`, {})).statusCode).toBe(201)
    expect((await call('POST', `${path}duplicate/`, {})).json()).toMatchObject({ code: 'monthly_limit_exceeded' })
    const freed = await call('DELETE', `${path}discounts/${discounts[0].id}/`)
    expect(freed.json()).toMatchObject({ code: 'monthly_limit_exceeded' })
    // More is used than that by now: what is there stays, and may become cheaper.
    await limit(main, '1.00')
    expect(await remaining(ofNorth)).toEqual(['0.00', '0.00'])
    await must(edit({ quantity: 3 }))
    await must(edit({ price: '0.00' }))
  })
})

describe('many at once', () => {
  /** What a buyer does, or the seller, who waits for nobody. */
  const step = fc.record({
    what: fc.constantFrom('ask', 'ask', 'ask', 'reject', 'reopen', 'duplicate', 'edit'),
    pieces: fc.integer({ min: 1, max: 6 }),
    which: fc.nat(30),
  })

  test('never exceed a limit together, and leave nothing that fits', async () => {
    const { main, north, south } = await company()
    await limit(north, '600.00')
    const divisions = [main, north, south] as const
    // Those of one division do not wait for each other.
    const people = await Promise.all(
      Array.from({ length: 10 }, async (_, index) => {
        const of = divisions[index % 3] ?? main
        return { of, ...(await buyer(of)) }
      }),
    )
    const schedules = fc.array(fc.array(step, { minLength: 6, maxLength: 10 }), { minLength: 2, maxLength: 2 })
    const never = fc.asyncProperty(schedules, async (rounds) => {
      await sql`update quotations set status = 'cancelled' where root_division_id = ${main}`.execute(database.db)
      const made: number[] = []
      const others: unknown[] = []
      const perform = async ({ what, pieces, which }: (typeof rounds)[number][number], at: number): Promise<void> => {
        const person = people[at]
        const id = made[which % Math.max(made.length, 1)]
        const path = `/api/v1/quotations/${id}`
        if (person !== undefined && (what === 'ask' || id === undefined)) {
          const answer = await tryToAsk(person, person.of, pieces)
          if (answer.statusCode === 201) made.push(answer.json().id)
          else others.push(answer.json().code)
        } else if (what === 'reject') await call('POST', `${path}/reject/`)
        else if (what === 'reopen') await call('POST', `${path}/set-as-draft/`)
        else if (what === 'duplicate') {
          const answer = await call('POST', `${path}/duplicate/`, {})
          if (answer.statusCode === 201) made.push(answer.json().id)
        } else {
          await call('POST', `${path}/set-as-draft/`)
          const { items = [] } = (await call('GET', `${path}/`)).json()
          await call('PATCH', `${path}/`, { items: [{ id: items[0]?.id ?? 0, quantity: pieces }] })
        }
      }
      for (const round of rounds) {
        await Promise.all(round.map((one, at) => perform(one, at)))
        expect(await sumOf(north)).toBeLessThanOrEqual(600_00)
        expect(await sumOf(main)).toBeLessThanOrEqual(1_000_00)
      }
      expect(others.filter((code) => code !== 'monthly_limit_exceeded')).toEqual([])
      // Of all who want the same, as many get it as there is room for.
      await limit(north, null)
      const room = Math.min(people.length, (1_000_00 - (await sumOf(main))) / 100_00)
      const last = await Promise.all(people.map((person) => tryToAsk(person, person.of, 1)))
      expect(last.filter(({ statusCode }) => statusCode === 201)).toHaveLength(room)
      await limit(north, '600.00')
    })
    await fc.assert(never, { ...tries(2, 40), seed: 20_261_121 })
  })

  /** What a division and those below it asked for, in cents, as the database has it. */
  const sumOf = async (top: number): Promise<number> => {
    const { rows } = await sql<{ sum: string }>`
      select coalesce(sum(net_amount), 0)::text as sum from quotations
      where division_id in (select id from divisions where id = ${top} or parent = ${top})
        and status not in ('rejected', 'cancelled', 'expired')`.execute(database.db)
    return Number(rows[0]?.sum)
  }
})
