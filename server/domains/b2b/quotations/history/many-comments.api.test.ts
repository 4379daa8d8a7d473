import { minuteMs } from '#platform/clock.ts'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { makeFakeClock } from '#testing/fake-clock.ts'
import type { Buyer } from '#testing/data/make-buyers.ts'
import { makePeople } from '#testing/make-people.ts'
import { makeQuotationWorld } from '#testing/make-quotations.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const clock = makeFakeClock()
// Nothing listens there: messages are stored, and no job runs.
const app = await makeTestApp({ clock, environment: { SMTP_URL: 'smtp://127.0.0.1:9' } })
const { call } = app
const { db } = app.database
const { ask, branch, buyer: newBuyer, staff, must } = await makeQuotationWorld(app)
const people = makePeople(app)

const comment = (buyer: Pick<Buyer, 'call'>, id: number, text = 'Hello') =>
  buyer.call('POST', `/api/v1/my-quotations/${id}/comments/`, { text })
const answer = (id: number, body: object = { text: 'Yes' }) =>
  staff.call('POST', `/api/v1/quotations/${id}/comments/`, body)

describe('a comment', () => {
  const messagesTo = async (userId: number): Promise<number> => {
    const { email } = await must(call('GET', `/api/v1/users/${userId}/`))
    const { rows } = await sql`
      select 1 from mails where to_address = ${email} and subject like '%new comment%'`.execute(db)
    return rows.length
  }

  test('is told by e-mail, another one within five minutes is not', async () => {
    clock.advance(10 * minuteMs)
    const buyer = await newBuyer(branch)
    const [first, second] = [await ask(buyer, branch), await ask(buyer, branch)]
    const seen: number[] = []
    for (const minutes of [0, 2, 4, 6, 8, 12]) {
      if (minutes > 0) clock.advance((minutes === 12 ? 4 : 2) * minuteMs)
      await must(answer(first.id))
      seen.push(await messagesTo(buyer.id))
    }
    expect(seen).toEqual([1, 1, 1, 2, 2, 3])
    // About another quotation it is news.
    await must(answer(second.id))
    expect(await messagesTo(buyer.id)).toBe(4)
  })

  test('is told to whoever has the quotation now', async () => {
    const buyer = await newBuyer(branch)
    const { id } = await ask(buyer, branch)
    const [one, other] = [await people.person({ is_staff: true }), await people.person({ is_staff: true })]
    await must(comment(buyer, id))
    for (const person of [one, other]) {
      await must(call('PATCH', `/api/v1/quotations/${id}/`, { assignee: person.id }))
      await must(comment(buyer, id))
      await must(comment(buyer, id))
    }
    expect(await Promise.all([one, other].map(({ id: userId }) => messagesTo(userId)))).toEqual([1, 1])
  })
})
