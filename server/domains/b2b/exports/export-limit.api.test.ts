import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { makePeople } from '#testing/make-people.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const clock = makeFakeClock(new Date('2026-11-21T09:30:00.000Z'))
// Nothing works in the background, so what is begun waits.
const app = await makeTestApp({ clock })
const { db } = app.database
const people = makePeople(app)

const asker = async () => {
  const credential = await people.authorization(await people.person({ is_staff: true }))
  return (limit: number) =>
    app.call('GET', `/api/v1/quotations/export/?format=csv&limit=${limit}`, undefined, credential)
}

test('a sixth that is not finished is refused, also when all come at once', async () => {
  const [ask, other] = [await asker(), await asker()]
  const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => ask(index + 1)))
  expect(answers.map(({ statusCode }) => statusCode).toSorted((one, two) => one - two)).toEqual([
    ...Array.from({ length: 5 }, () => 202),
    ...Array.from({ length: 5 }, () => 429),
  ])
  const refused = await ask(11)
  expect([refused.headers['retry-after'], refused.json()]).toEqual([
    '10',
    { detail: '5 of your exports are not finished yet. Ask again when one of them is.' },
  ])
  const begun = answers.findIndex(({ statusCode }) => statusCode === 202)
  const key = answers[begun]?.json<{ status_cache_key: string }>().status_cache_key
  // Those of others are theirs.
  expect((await other(1)).statusCode).toBe(202)

  await sql`update exports set status = 'failed' where cache_key = ${key}`.execute(db)
  expect((await ask(12)).statusCode).toBe(202)
})
