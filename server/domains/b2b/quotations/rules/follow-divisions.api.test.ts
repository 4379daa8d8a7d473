import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { inTransaction } from '#platform/db/transaction.ts'
import { makeQuotationWorld } from '#testing/make-quotations.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const app = await makeTestApp()
const { call, database } = app
const world = await makeQuotationWorld(app)
const { ask, admin, mine, must, division, buyer } = world

const move = (id: number, parent: number | null) => must(call('PATCH', `/api/v1/divisions/${id}/`, { parent }))
const sees = async (who: Awaited<ReturnType<typeof buyer>>, id: number): Promise<boolean> =>
  (await who.call('GET', `/api/v1/my-quotations/${id}/`)).statusCode === 200
const waitingFor = async (who: Awaited<ReturnType<typeof buyer>>): Promise<number[]> => {
  const { count, results } = await must(who.call('GET', '/api/v1/my-quotations/?scope=approvals&limit=100'))
  expect(results).toHaveLength(count)
  return (results as { id: number }[]).map(({ id }) => id).toSorted((one, other) => one - other)
}

/** A tree of two levels with somebody at its head and somebody at its end, and another tree. */
const twoTrees = async () => {
  const [former, other] = [await division(), await division()]
  const branch = await division({ parent: former })
  const leaf = await division({ parent: branch })
  const [asking, formerHead, head] = [await buyer(leaf), await buyer(former), await buyer(other)]
  return { former, other, branch, leaf, owner: asking, formerHead, head }
}

test('what a division asked for goes with it into another tree, whatever its status, and comes to the main division there', async () => {
  const { other, branch, leaf, owner, formerHead, head } = await twoTrees()
  const waiting = await ask(owner, leaf)
  const closed = await ask(owner, leaf)
  await mine(owner, closed.id, 'cancel')
  const { version, modified_at: modifiedAt } = await must(call('GET', `/api/v1/quotations/${waiting.id}/`))
  expect([await waitingFor(formerHead), await waitingFor(head)]).toEqual([[waiting.id], []])

  await move(branch, other)
  expect([await waitingFor(formerHead), await waitingFor(head)]).toEqual([[], [waiting.id]])
  for (const { id } of [waiting, closed])
    expect([await sees(formerHead, id), await sees(head, id)]).toEqual([false, true])
  // It is no change of the quotation.
  expect(await must(call('GET', `/api/v1/quotations/${waiting.id}/`))).toMatchObject({
    version,
    modified_at: modifiedAt,
  })
  const late = await formerHead.call('POST', `/api/v1/my-quotations/${waiting.id}/approve-pending-request/`)
  expect(late.statusCode).toBe(404)
  expect((await mine(head, waiting.id, 'approve-pending-request')).status).toBe('pending')
  const list = await must(call('GET', `/api/v1/quotations/?division=${leaf}`))
  expect(list.count).toBe(2)
})

test('a division that becomes a main division approves what it asked for itself', async () => {
  const { leaf, owner, formerHead } = await twoTrees()
  const { id } = await ask(owner, leaf)
  await move(leaf, null)
  expect(await sees(formerHead, id)).toBe(false)
  expect((await mine(owner, id, 'approve-pending-request')).status).toBe('pending')
})

test('a table that moves divisions takes their quotations along', async () => {
  const { other, branch, leaf, owner, formerHead, head } = await twoTrees()
  const atLeaf = await ask(owner, leaf)
  const atBranch = await ask(await buyer(branch), branch)
  const codeOf = async (id: number) => (await must(call('GET', `/api/v1/divisions/${id}/`))).erp_code
  const table = `erp_code,name,parent_erp_code\r\n${await codeOf(branch)},Moved,${await codeOf(other)}\r\n`
  const load = (query = '') =>
    app.app.inject({
      method: 'POST',
      url: `/api/v1/divisions/import/${query}`,
      payload: table,
      headers: { authorization: app.superuser.authorization, 'content-type': 'text/csv' },
    })
  await must(load('?dry_run=true'))
  expect(await waitingFor(formerHead)).toEqual([atLeaf.id, atBranch.id])
  expect(await must(load())).toMatchObject({ updated: 1, failed: 0 })
  expect([await waitingFor(formerHead), await waitingFor(head)]).toEqual([[], [atLeaf.id, atBranch.id]])
})

test('what is made of a moved quotation is of its tree of now', async () => {
  const { other, branch, leaf, owner, head } = await twoTrees()
  const { id } = await ask(owner, leaf)
  await move(branch, other)
  const copy = await admin(id, 'duplicate')
  expect(await sees(head, copy.id)).toBe(true)
})

test('what is made while its division is being moved is not left behind', async () => {
  const { other, branch, leaf, owner, head } = await twoTrees()
  const [held, copied] = [await ask(owner, leaf), await ask(owner, leaf)]
  await owner.call('POST', '/api/v1/basket/', { product_remote_id: world.chair, division: leaf, quantity: 1 })
  const ongoing = await inTransaction(database.db, async (tx) => {
    // Whoever moves the division waits for this one quotation.
    await tx.selectFrom('quotations').select('id').where('id', '=', held.id).forUpdate().execute()
    const moving = move(branch, other)
    await sleep(300)
    const asking = must(owner.call('POST', '/api/v1/my-quotations/', { name: 'Meanwhile' }))
    const copying = admin(copied.id, 'duplicate')
    await Promise.race([Promise.all([asking, copying]), sleep(300)])
    return [moving, asking, copying] as const
  })
  const [, made, copy] = await Promise.all(ongoing)
  expect([await sees(head, made.id), await sees(head, copy.id)]).toEqual([true, true])
})
