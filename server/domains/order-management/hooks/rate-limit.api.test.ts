import { beforeEach, expect, test } from 'vitest'
import { makeHooksApp } from '#testing/make-hooks-app.ts'

const { call, database, clear } = await makeHooksApp()
beforeEach(clear)

const hook = { event_type: 'package.created', target_url: 'https://example.com/' }
const limit = { per_second: 2.5, burst: 10 }
const create = async (config: unknown): Promise<number> =>
  (await call('ayse', 'POST /hooks/', { ...hook, config })).json().id
const configOf = async (id: number) => (await call('ayse', `GET /hooks/${id}/`)).json().config
const stored = () =>
  database.db.selectFrom('subscriptions').select(['ratePerSecond', 'rateBurst']).executeTakeFirstOrThrow()

test('a rate limit is kept and shown', async () => {
  const id = await create({ rate_limit: limit })
  expect(await configOf(id)).toEqual({ rate_limit: limit })
  expect(await stored()).toEqual({ ratePerSecond: 2.5, rateBurst: 10 })
})

test('a hook without one shows none', async () => {
  const id = await create({})
  expect(await configOf(id)).toEqual({})
  expect(await stored()).toEqual({ ratePerSecond: null, rateBurst: null })
})

test('a patch keeps a rate limit that it does not name, changes it, and removes it', async () => {
  const id = await create({ rate_limit: limit })
  const patch = (body: object) => call('ayse', `PATCH /hooks/${id}/`, body)
  await patch({ is_active: true })
  expect(await configOf(id)).toEqual({ rate_limit: limit })
  await patch({ config: { auth: null } })
  expect(await configOf(id)).toEqual({ rate_limit: limit })
  await patch({ config: { rate_limit: { per_second: 7 } } })
  expect(await configOf(id)).toEqual({ rate_limit: { per_second: 7, burst: 7 } })
  await patch({ config: { rate_limit: null } })
  expect(await configOf(id)).toEqual({})
})

test('a replacement without it removes it', async () => {
  const id = await create({ rate_limit: limit })
  await call('ayse', `PUT /hooks/${id}/`, hook)
  expect(await configOf(id)).toEqual({})
})

test('what is shown can be sent back', async () => {
  const config = { auth: { auth_type: 'basic', username: 'shop', password: 'secret' }, rate_limit: limit }
  const id = await create(config)
  const shown = await configOf(id)
  expect((await call('ayse', `PUT /hooks/${id}/`, { ...hook, config: shown })).statusCode).toBe(200)
  expect(await configOf(id)).toEqual(shown)
})

test('a rate limit that is none is refused, with everything that is wrong', async () => {
  const answer = await call('ayse', 'POST /hooks/', { ...hook, config: { rate_limit: { per_second: 0, burst: 0 } } })
  expect(answer.statusCode).toBe(400)
  expect(Object.keys(answer.json())).toEqual(['config.rate_limit.per_second', 'config.rate_limit.burst'])
})
