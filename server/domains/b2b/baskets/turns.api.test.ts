import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { inTransaction } from '#platform/db/transaction.ts'
import { makeQuotationWorld } from '#testing/make-quotations.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const app = await makeTestApp()
const { db } = app.database
const { owner, mainBuyer, branch, chair, ask } = await makeQuotationWorld(app)
const basketQuantity = { product_remote_id: chair, division: branch, quantity: 1 }

// The embedded database has one connection: while somebody holds a transaction, nobody else gets anything.
const isOnPostgres = app.database.engine === 'postgres'

test.runIf(isOnPostgres)(
  'whoever asks for many changes at once keeps nobody else waiting, and is told when it is too much',
  async () => {
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
      ...Array.from({ length: 6 }, () => call('PUT', '/api/v1/basket/', basketQuantity)),
      ...Array.from({ length: 3 }, () => call('POST', `/api/v1/my-quotations/${id}/duplicate/`)),
      call('DELETE', '/api/v1/basket/', { product_remote_id: chair }),
      call('POST', '/api/v1/my-quotations/', { name: 'Empty' }),
    ])
    // More than the pool has connections, and each of them would wait for the basket with one.
    const other = await mainBuyer.call('PUT', '/api/v1/basket/', basketQuantity)
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
  },
  20_000,
)

test.runIf(app.database.engine === 'postgres')(
  'so is whoever reads a basket many times at once',
  async () => {
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
    const { promise: isHeld, resolve: held } = Promise.withResolvers<void>()
    const holding = inTransaction(db, async (tx) => {
      await sql`lock table basket_items in access exclusive mode`.execute(tx)
      held()
      await mayEnd
    })
    await isHeld
    const read = () => owner.call('GET', '/api/v1/basket/')
    const answers = Promise.all(Array.from({ length: 31 }, read))
    const other = await mainBuyer.call('GET', '/api/v1/my-divisions/')
    expect(other.statusCode).toBe(200)
    const tooMany = await read()
    expect([tooMany.statusCode, tooMany.headers['retry-after']]).toEqual([429, '1'])
    end()
    await holding
    for (const { statusCode } of await answers) expect(statusCode).toBe(200)
  },
  20_000,
)
