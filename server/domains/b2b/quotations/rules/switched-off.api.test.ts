import { describe, expect, test } from 'vitest'
import { makeQuotationWorld } from '#testing/make-quotations.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const app = await makeTestApp()
const { call } = app
const world = await makeQuotationWorld(app)
const { mainBuyer, main, admin, ask, must } = world

const read = async (id: number) => must(call('GET', `/api/v1/quotations/${id}/`))
const post = (id: number, rest: string, body: object) => call('POST', `/api/v1/quotations/${id}/${rest}/`, body)

describe('what was switched off', () => {
  const ordering = ['send-approval-request', 'approve', 'duplicate']
  const blockedOf = ({ blocked_actions: blocked }: { blocked_actions: Record<string, string> }, words: string) =>
    Object.keys(blocked).filter((action) => blocked[action]?.includes(words))
  const switchable = {
    division: async () => {
      const division = await world.division({ parent: main })
      const { id } = await ask(mainBuyer, division)
      const path = `/api/v1/divisions/${division}/`
      const { name } = await must(call('GET', path))
      return { id, path, name, code: 'division_inactive' }
    },
    product: async () => {
      const product = await world.product()
      const { id } = await ask(mainBuyer, main, { [product]: 1 })
      const { results } = await must(call('GET', `/api/v1/products/?remote_id=${product}`))
      return { id, path: `/api/v1/products/${results[0].id}/`, name: product, code: 'product_inactive' }
    },
  }

  test.each(['division', 'product'] as const)('is neither offered nor approved nor begun again: a %s', async (kind) => {
    const { id, path, name, code } = await switchable[kind]()
    await admin(id, 'send-approval-request')
    await must(call('PATCH', path, { is_active: false }))
    const yes = () => mainBuyer.call('POST', `/api/v1/my-quotations/${id}/approve/`)
    const theirs = await must(mainBuyer.call('GET', `/api/v1/my-quotations/${id}/`))
    expect([(await yes()).json(), blockedOf(theirs, name)]).toEqual([
      { non_field_errors: [expect.stringContaining(name)], code, allowed_actions: theirs.allowed_actions },
      ['approve'],
    ])

    for (const status of ['sending_approval_request', 'draft']) {
      if (status === 'draft') await admin(id, 'set-as-draft')
      const detail = await read(id)
      expect([detail.status, blockedOf(detail, name)]).toEqual([status, ordering])
      for (const action of ordering) {
        const refused = await post(id, action, {})
        expect([action, refused.statusCode, refused.json()]).toEqual([
          action,
          400,
          { non_field_errors: [detail.blocked_actions[action]], code, allowed_actions: detail.allowed_actions },
        ])
      }
    }

    await must(call('PATCH', path, { is_active: true }))
    expect(blockedOf(await read(id), name)).toEqual([])
    for (const action of ordering) expect((await post(id, action, {})).statusCode).toBeLessThan(300)
    // What is agreed on stays so.
    await must(call('PATCH', path, { is_active: false }))
    expect((await read(id)).allowed_actions).toContain('approve')
    expect((await must(post(id, 'approve', {}))).status).toBe('approved')
  })
})
