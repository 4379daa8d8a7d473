import { expect, test } from 'vitest'
import { makeQuotationWorld, type WireQuotation } from '#testing/make-quotations.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const app = await makeTestApp()
const world = await makeQuotationWorld(app)
const { owner, mainBuyer, main, branch, chair, admin, mine, ask, must } = world

const leaf = await world.division({ parent: branch })
const deep = await world.buyer(leaf)
const other = await world.division()
const stranger = await world.buyer(other)
const approved = await ask(owner, branch, { [chair]: 1 }, 'Approved by main')
await mine(mainBuyer, approved.id, 'approve-pending-request')
const own = await ask(mainBuyer, main, { [chair]: 2 }, 'Own')
await admin(own.id, 'set-as-draft')
const foreign = await ask(stranger, other)
const waiting = await ask(deep, leaf, { [chair]: 3 }, 'Deep')

const tree = async (who: Pick<typeof owner, 'call'>, query = '') => {
  const { count, results } = await must(who.call('GET', `/api/v1/my-quotations/?scope=tree&limit=100&${query}`))
  expect([query, count]).toEqual([query, results.length])
  return results.map(({ id }: WireQuotation) => id)
}

test('a main division finds all of its tree, also what it approved, and nothing of another', async () => {
  expect(await tree(mainBuyer)).toEqual([waiting.id, own.id, approved.id])
  expect(await tree(stranger)).toEqual([foreign.id])
})

test('who is of no main division finds nothing in it', async () => {
  for (const who of [owner, deep, await world.buyer(null)]) expect(await tree(who)).toEqual([])
})

test('is narrowed, ordered and paged as every list', async () => {
  expect(await tree(mainBuyer, 'ordering=id')).toEqual([approved.id, own.id, waiting.id])
  expect(await tree(mainBuyer, 'ordering=-total_amount')).toEqual([waiting.id, own.id, approved.id])
  expect(await tree(mainBuyer, 'status=pending&status=draft')).toEqual([own.id, approved.id])
  expect(await tree(mainBuyer, `user=${owner.id}`)).toEqual([approved.id])
  expect(await tree(mainBuyer, `division=${branch}`)).toEqual([approved.id])
  expect(await tree(mainBuyer, `division=${other}`)).toEqual([])
  expect(await tree(mainBuyer, 'name=approved')).toEqual([approved.id])
  expect(await tree(mainBuyer, 'total_amount__gte=200')).toEqual([waiting.id, own.id])
  const page = await must(mainBuyer.call('GET', '/api/v1/my-quotations/?scope=tree&limit=1&page=2'))
  expect([page.count, page.results[0].id, page.next.includes('scope=tree')]).toEqual([3, own.id, true])
})

test('a division that moves takes its quotations along', async () => {
  const moving = await world.division({ parent: main })
  const buyer = await world.buyer(moving)
  const { id } = await ask(buyer, moving)
  expect(await tree(mainBuyer, 'status=request_approval')).toEqual([id, waiting.id])
  await must(app.call('PATCH', `/api/v1/divisions/${moving}/`, { parent: other }))
  expect(await tree(mainBuyer, 'status=request_approval')).toEqual([waiting.id])
  expect(await tree(stranger)).toEqual([id, foreign.id])
})

test('quotations are counted by status, as the lists with the same filters are', async () => {
  const lists = [
    ['/api/v1/quotations/', app.call],
    ['/api/v1/my-quotations/', mainBuyer.call],
    ['/api/v1/my-quotations/', deep.call],
  ] as const
  const queries = ['', 'scope=tree', 'scope=approvals', `user=${owner.id}`, `division=${branch}`, 'name=Deep']
  for (const [path, call] of lists)
    for (const query of [...queries, 'total_amount__gte=200', 'order_status=created']) {
      if (path === '/api/v1/quotations/' && query.startsWith('scope')) continue
      const counts = await must(call('GET', `${path}counts/?${query}`))
      const expected: Record<string, number> = {}
      for (const status of Object.keys(counts))
        expected[status] = (await must(call('GET', `${path}?status=${status}&${query}`))).count
      expect([path, query, counts]).toEqual([path, query, expected])
    }
  const { request_approval: waits, draft } = await must(
    mainBuyer.call('GET', '/api/v1/my-quotations/counts/?scope=tree'),
  )
  expect([waits, draft]).toEqual([1, 1])
  expect((await app.call('GET', '/api/v1/quotations/counts/?status=draft')).statusCode).toBe(400)
})
