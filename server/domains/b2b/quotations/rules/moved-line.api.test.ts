import { expect, test } from 'vitest'
import { makeQuotationWorld } from '#testing/make-quotations.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const app = await makeTestApp()
const { call } = app
const world = await makeQuotationWorld(app)
const { admin, must, division, buyer, ask } = world

const post = (id: number, rest: string) => call('POST', `/api/v1/quotations/${id}/${rest}/`, {})
const move = (id: number, parent: number | null) => must(call('PATCH', `/api/v1/divisions/${id}/`, { parent }))

/** The main division of one company asks for a branch of it; there is another company. */
const twoCompanies = async () => {
  const [main, other] = [await division(), await division()]
  const branch = await division({ parent: main })
  const head = await buyer(main)
  const { id } = await ask(head, branch)
  const { name } = await must(call('GET', `/api/v1/divisions/${branch}/`))
  return { main, other, branch, head, id, name }
}
const ordering = ['send-approval-request', 'approve', 'duplicate']

test('nothing is ordered for a branch that was moved to another company', async () => {
  const { main, other, branch, head, id, name } = await twoCompanies()
  await admin(id, 'send-approval-request')
  await move(branch, other)
  const reason = expect.stringMatching(new RegExp(`moved to another company: ${name}\\.$`))

  const yes = await head.call('POST', `/api/v1/my-quotations/${id}/approve/`)
  const theirs = await must(head.call('GET', `/api/v1/my-quotations/${id}/`))
  const { allowed_actions: allowed } = theirs
  expect([yes.statusCode, yes.json()]).toEqual([
    400,
    { non_field_errors: [reason], code: 'division_inactive', allowed_actions: allowed },
  ])
  expect([allowed.includes('approve'), theirs.blocked_actions.approve]).toEqual([false, reason])

  for (const status of ['sending_approval_request', 'draft']) {
    if (status === 'draft') await admin(id, 'set-as-draft')
    const detail = await must(call('GET', `/api/v1/quotations/${id}/`))
    expect(detail.status).toBe(status)
    for (const action of ordering) {
      const refused = await post(id, action)
      expect([action, refused.statusCode, refused.json()]).toEqual([
        action,
        400,
        { non_field_errors: [reason], code: 'division_inactive', allowed_actions: detail.allowed_actions },
      ])
      expect([detail.allowed_actions.includes(action), detail.blocked_actions[action]]).toEqual([false, reason])
    }
  }

  // Into the basket it comes all the same, and nothing can be made of it.
  await must(head.call('POST', `/api/v1/my-quotations/${id}/duplicate/`))
  const again = await head.call('POST', '/api/v1/my-quotations/', { name: 'Again' })
  expect(again.json()).toMatchObject({ code: 'division_inactive' })

  await move(branch, main)
  for (const action of ordering) expect((await post(id, action)).statusCode).toBeLessThan(300)
})

test('a quotation that goes into another company with its division does not take the branches along that stay', async () => {
  const { other, branch, head, id, name, main } = await twoCompanies()
  await admin(id, 'set-as-draft')
  const third = await division()
  // What stays behind is a company of its own then.
  await move(branch, third)
  await move(main, other)
  expect((await must(call('GET', `/api/v1/quotations/${id}/`))).blocked_actions.approve).toContain(name)
  expect((await post(id, 'approve')).json()).toMatchObject({ code: 'division_inactive' })
  expect((await must(head.call('GET', `/api/v1/my-quotations/${id}/`))).status).toBe('draft')
})

test('what is agreed on stays so wherever its divisions go', async () => {
  const { other, branch, id } = await twoCompanies()
  await admin(id, 'approve')
  await move(branch, other)
  expect((await must(call('GET', `/api/v1/quotations/${id}/`))).allowed_actions).toContain('approve')
  expect((await must(post(id, 'approve'))).status).toBe('approved')
})
