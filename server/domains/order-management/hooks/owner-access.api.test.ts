import { describe, expect, test } from 'vitest'
import { inTransaction } from '#platform/db/transaction.ts'
import { makePeople } from '#testing/make-people.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const test_ = await makeTestApp()
const { call, database } = test_
const { db } = database
const { person, authorization } = makePeople(test_)

const hook = { event_type: 'stock_location.created', target_url: 'https://example.com/hooks' }
const staffWithHook = async (rights: Record<string, boolean> = { is_staff: true }) => {
  const someone = await person(rights)
  const headers = await authorization(someone)
  const { id } = (await call('POST', '/whisperer/hooks/', hook, headers)).json<{ id: number }>()
  return { person: someone, headers, id, path: `/whisperer/hooks/${id}/` }
}
const patchUser = async (id: number, body: object) =>
  expect((await call('PATCH', `/api/v1/users/${id}/`, body)).statusCode).toBe(200)
const isActive = async (path: string) => (await call('GET', path)).json<{ is_active: boolean }>().is_active
let locations = 0
const raise = async () => {
  locations += 1
  const body = { code: `L-${locations}`, name: 'Somewhere' }
  expect((await call('POST', '/api/v1/stock_locations/', body)).statusCode).toBe(201)
}
const statuses = async (subscriptionId: number) =>
  (await db.selectFrom('deliveries').select('status').where('subscriptionId', '=', subscriptionId).execute()).map(
    ({ status }) => status,
  )

describe('somebody who loses the rights that hooks need', () => {
  test.each([
    ['demoted staff', { is_staff: true }, { is_staff: false }],
    ['deactivated staff', { is_staff: true }, { is_active: false }],
    ['a demoted superuser', { is_superuser: true }, { is_superuser: false }],
  ])('%s: the hooks are switched off, and what was due stays due', async (_, rights, change) => {
    const { person: owner, id, path } = await staffWithHook(rights)
    await raise()
    await patchUser(owner.id, change)
    await raise()
    expect(await isActive(path)).toBe(false)
    expect(await statuses(id)).toEqual(['pending'])
    const row = await db.selectFrom('subscriptions').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    expect(row).toMatchObject({ disabledReason: 'owner lost access', version: 2 })
  })

  test('ends what they had started, and nothing that others had', async () => {
    const recoverers = [await staffWithHook(), await staffWithHook()]
    await raise()
    await db.updateTable('deliveries').set({ status: 'failed', attempts: 1, finishedAt: new Date() }).execute()
    for (const { path, headers } of recoverers) {
      const body = { since: '2026-01-02T00:00:00Z', start: true }
      expect((await call('POST', `${path}recover/`, body, headers)).statusCode).toBe(202)
    }
    await patchUser(recoverers[0]?.person.id ?? 0, { is_staff: false })
    const jobs = await db.selectFrom('redeliveries').select(['requestedBy', 'status']).orderBy('id').execute()
    expect(jobs).toEqual([
      { requestedBy: recoverers[0]?.person.id, status: 'cancelled' },
      { requestedBy: recoverers[1]?.person.id, status: 'running' },
    ])
  })

  test('keeps the hooks while another right remains, and others keep theirs', async () => {
    const { person: owner, path } = await staffWithHook({ is_staff: true, is_superuser: true })
    const other = await staffWithHook()
    await patchUser(owner.id, { is_superuser: false })
    expect(await isActive(path)).toBe(true)
    await patchUser(owner.id, { is_staff: false })
    expect(await isActive(path)).toBe(false)
    expect(await isActive(other.path)).toBe(true)
  })

  test('gets no event of the very next change on, even when the change of rights is asked for twice', async () => {
    const { person: owner, id } = await staffWithHook()
    await patchUser(owner.id, { is_staff: false })
    await patchUser(owner.id, { is_staff: false })
    await raise()
    expect(await statuses(id)).toEqual([])
  })
})

describe('rights that are given back', () => {
  test('do not switch the hooks on; their owner does', async () => {
    const { person: owner, headers, path } = await staffWithHook()
    await patchUser(owner.id, { is_staff: false })
    await patchUser(owner.id, { is_staff: true })
    expect(await isActive(path)).toBe(false)
    expect((await call('PATCH', path, { is_active: true }, headers)).statusCode).toBe(200)
    expect(await isActive(path)).toBe(true)
  })

  test('have to be, before a superuser can switch the hook on', async () => {
    const { person: owner, path } = await staffWithHook()
    await patchUser(owner.id, { is_staff: false })
    const bodies = [
      ['PATCH', { is_active: true }],
      ['PUT', hook],
    ] as const
    for (const [method, body] of bodies) {
      const answer = await call(method, path, body)
      expect([answer.statusCode, Object.keys(answer.json<object>())]).toEqual([400, ['is_active']])
    }
    expect((await call('PATCH', path, { target_url: 'https://example.com/2' })).statusCode).toBe(200)
    expect(await isActive(path)).toBe(false)
    await patchUser(owner.id, { is_staff: true })
    expect((await call('PATCH', path, { is_active: true })).statusCode).toBe(200)
  })
})

test('a change of rights that fails switches nothing off', async () => {
  const { person: owner, path } = await staffWithHook()
  const taken = test_.superuser.email
  expect((await call('PATCH', `/api/v1/users/${owner.id}/`, { is_staff: false, email: taken })).statusCode).toBe(400)
  expect(await isActive(path)).toBe(true)
})

// On the embedded database there is never a second transaction open.
test.runIf(process.env['TEST_ENGINE'] === 'postgres')(
  'a hook that is made while its owner loses the rights is not left over',
  async () => {
    const someone = await person({ is_staff: true })
    const headers = await authorization(someone)
    let making: Promise<{ statusCode: number }> | undefined
    await inTransaction(db, async (tx) => {
      await tx.updateTable('users').set({ isStaff: false }).where('id', '=', someone.id).execute()
      making = Promise.resolve(call('POST', '/whisperer/hooks/', hook, headers))
      // The request has come as far as it can once it waits for the owner.
      await new Promise((resolve) => setTimeout(resolve, 300))
    })
    expect((await making)?.statusCode).toBe(400)
  },
)
