import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { inTransaction } from '#platform/db/transaction.ts'
import { makeQuotationWorld } from '#testing/make-quotations.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const app = await makeTestApp()
const { db } = app.database
const { owner, mainBuyer, branch, chair, ask } = await makeQuotationWorld(app)
const cell = { product_remote_id: chair, division: branch, quantity: 1 }

test('whoever asks for many changes at once keeps nobody else waiting, and is told when it is too much', async () => {
  const { id } = await ask(owner, branch)
  const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>()
  const { promise: isHeld, resolve: held } = Promise.withResolvers<void>()
  const holding = inTransaction(db, async (tx) => {
    await sql`select from baskets where user_id = ${owner.id} for update`.execute(tx)
    held()
    await mayCommit
  })
  await isHeld
  const { call } = owner
  const answers = Promise.all([
    ...Array.from({ length: 6 }, () => call('PUT', '/api/v1/basket/', cell)),
    ...Array.from({ length: 3 }, () => call('POST', `/api/v1/my-quotations/${id}/duplicate/`)),
    call('DELETE', '/api/v1/basket/', { product_remote_id: chair }),
    call('POST', '/api/v1/my-quotations/', { name: 'Empty' }),
  ])
  // More than the pool has connections, and each of them would wait for the basket with one.
  const other = await mainBuyer.call('PUT', '/api/v1/basket/', cell)
  expect(other.statusCode).toBe(200)
  const tooMany = await call('POST', '/api/v1/basket/save/', { name: 'One too many' })
  expect([tooMany.statusCode, tooMany.headers['retry-after'], Object.keys(tooMany.json())]).toEqual([
    429,
    '1',
    ['detail'],
  ])
  commit()
  await holding
  // The order is theirs: whoever takes the basket may find it empty.
  for (const { statusCode } of await answers) expect([200, 201, 400]).toContain(statusCode)
}, 20_000)
