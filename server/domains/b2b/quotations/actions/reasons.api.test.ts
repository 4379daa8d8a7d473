import { expect, test } from 'vitest'
import { sql } from 'kysely'
import { makeQuotationWorld } from '#testing/make-quotations.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const app = await makeTestApp()
const { call, database } = app
const world = await makeQuotationWorld(app)
const { ask, admin, must, main, branch, owner, mainBuyer } = world

const seller = { call, path: '/api/v1/quotations' }
const buyers = {
  owner: { ...owner, path: '/api/v1/my-quotations' },
  main: { ...mainBuyer, path: '/api/v1/my-quotations' },
}
const detail = ({ call: asks, path }: Pick<typeof seller, 'call' | 'path'>, id: number) =>
  must(asks('GET', `${path}/${id}/`))
const lastEvent = async (id: number): Promise<unknown> => {
  const { rows } = await sql<{ body: string }>`
    select body from events where object_type = 'quotation' and object_id = ${String(id)}
    order by sequence desc limit 1`.execute(database.db)
  return (JSON.parse(rows[0]?.body ?? '{}') as { readonly data?: unknown }).data
}

test.each([
  ['cancel', 'owner', buyers.owner],
  ['reject', 'owner', buyers.owner],
  ['reject', 'main', buyers.main],
  ['reject', 'seller', seller],
] as const)(
  'why it comes to %s by its %s is seen by everybody who sees it, and in its event',
  async (action, _, doer) => {
    const { id } = await ask(owner, branch)
    const text = 'Too dear.\n<b>And late.</b>'
    const closed = await must(doer.call('POST', `${doer.path}/${id}/${action}/`, { reason: text }))
    const reason = {
      text,
      action,
      by: 'id' in doer ? { id: doer.id } : { email: app.superuser.email },
      at: closed.modified_at,
    }
    for (const reader of [buyers.owner, buyers.main, seller]) expect(await detail(reader, id)).toMatchObject({ reason })
    expect(await lastEvent(id)).toMatchObject({ status: closed.status, reason: text })
    const { results } = await must(call('GET', `/api/v1/quotations/${id}/audit/`))
    expect(results).toContainEqual(
      expect.objectContaining({ action, after: expect.objectContaining({ reason: text }) }),
    )
  },
)

test('nothing, and what is blank, is no reason', async () => {
  for (const body of [undefined, {}, { reason: '' }, { reason: ' \n' }]) {
    const { id } = await ask(owner, branch)
    const closed = await must(owner.call('POST', `/api/v1/my-quotations/${id}/reject/`, body))
    expect([closed.status, closed.reason]).toEqual(['rejected', null])
  }
})

test('a reason has 2,000 characters at most, and belongs to what ends a quotation', async () => {
  const { id } = await ask(mainBuyer, main)
  const post = (action: string, reason: unknown) => call('POST', `/api/v1/quotations/${id}/${action}/`, { reason })
  for (const reason of ['x'.repeat(2_001), 5, 'a\0b']) {
    const answer = await post('reject', reason)
    expect([answer.statusCode, Object.keys(answer.json())]).toEqual([400, ['reason']])
  }
  expect((await post('set-as-draft', 'Why not')).statusCode).toBe(400)
  expect((await post('reject', 'x'.repeat(2_000))).statusCode).toBe(200)
})

test('what is taken up again or copied has none', async () => {
  const { id } = await ask(mainBuyer, main)
  await admin(id, 'reject', { reason: 'Sold out' })
  const copy = await must(call('POST', `/api/v1/quotations/${id}/duplicate/`, {}))
  expect(copy.reason).toBeNull()
  expect((await admin(id, 'set-as-draft')).reason).toBeNull()
  expect(await lastEvent(id)).toMatchObject({ status: 'draft', reason: null })
})
