import { describe, expect, test } from 'vitest'
import type { Buyer } from '#testing/data/make-buyers.ts'
import { makeQuotationWorld } from '#testing/make-quotations.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const app = await makeTestApp()
const { call } = app
const world = await makeQuotationWorld(app)
const { main, branch, mainBuyer, ask, admin, mine, must } = world
const otherCompany = await world.division()
const otherBranch = await world.division({ parent: main })

const act = (buyer: Buyer, id: number, action: string, body?: object) =>
  buyer.call('POST', `/api/v1/my-quotations/${id}/${action}/`, body)
const moveTo = (buyer: Buyer, division: number | null) =>
  must(call('PATCH', `/api/v1/users/${buyer.id}/`, { division }))
/** An offer to somebody of a branch. */
const offered = async () => {
  const buyer = await world.buyer(branch)
  const { id } = await ask(buyer, branch)
  await mine(mainBuyer, id, 'approve-pending-request')
  await admin(id, 'send-approval-request')
  return { buyer, id }
}

describe('an owner who left the company', () => {
  test.each([
    ['for another one', otherCompany, ['duplicate']],
    ['for nothing', null, []],
  ])('%s decides nothing for it any more, and still reads what they asked for', async (_, division, allowed) => {
    const { buyer, id } = await offered()
    await moveTo(buyer, division)
    for (const [action, body] of [['approve'], ['cancel'], ['reject'], ['comments', { text: 'Hello' }]] as const) {
      const answer = await act(buyer, id, action, body)
      expect([action, answer.statusCode, answer.json()]).toMatchObject([
        action,
        400,
        { code: 'left_company', allowed_actions: allowed },
      ])
    }
    const detail = await must(buyer.call('GET', `/api/v1/my-quotations/${id}/`))
    const reason = expect.stringContaining('do not belong')
    expect(detail).toMatchObject({
      status: 'sending_approval_request',
      allowed_actions: allowed,
      blocked_actions: { approve: reason, cancel: reason, reject: reason, comment: reason },
    })
    const copied = await act(buyer, id, 'duplicate')
    expect([copied.statusCode, copied.json().code]).toEqual(division === null ? [400, 'no_division'] : [200, undefined])
    // Those who are left do.
    expect(await mine(mainBuyer, id, 'reject')).toMatchObject({ status: 'rejected' })
  })

  test('has nothing ordered again that was approved before', async () => {
    const { buyer, id } = await offered()
    await mine(buyer, id, 'approve')
    await moveTo(buyer, otherCompany)
    expect((await act(buyer, id, 'approve')).json()).toMatchObject({ code: 'left_company' })
  })

  test('is not one who works for another branch now', async () => {
    const { buyer, id } = await offered()
    await moveTo(buyer, otherBranch)
    const detail = await must(buyer.call('GET', `/api/v1/my-quotations/${id}/`))
    expect(detail.allowed_actions).toEqual(['cancel', 'reject', 'approve', 'comment', 'duplicate'])
    expect(await mine(buyer, id, 'approve')).toMatchObject({ status: 'approved' })
  })
})

test('a main division that is switched off approves no requests of its branches', async () => {
  const root = await world.division()
  const below = await world.division({ parent: root })
  const [approver, asking] = [await world.buyer(root), await world.buyer(below)]
  const { id } = await ask(asking, below)
  const set = (isActive: boolean) => must(call('PATCH', `/api/v1/divisions/${root}/`, { is_active: isActive }))
  const { name } = await set(false)
  const refused = await act(approver, id, 'approve-pending-request')
  expect([refused.statusCode, refused.json()]).toMatchObject([
    400,
    { code: 'main_division_inactive', allowed_actions: ['reject', 'comment'] },
  ])
  const detail = await must(approver.call('GET', `/api/v1/my-quotations/${id}/`))
  expect(detail.blocked_actions).toMatchObject({ 'approve-pending-request': expect.stringContaining(name) })
  await set(true)
  expect(await mine(approver, id, 'approve-pending-request')).toMatchObject({ status: 'pending' })
})
