import { sql, type KyselyPlugin } from 'kysely'
import { expect, test } from 'vitest'
import { makeQuotationWorld } from '#testing/make-quotations.ts'
import { makeTestApp } from '#testing/make-test-app.ts'
import { findRevision, listRevisions } from '../terms/revision-store.ts'

const app = await makeTestApp()
const { call } = app
const { db } = app.database
const { ask, admin, must, mainBuyer, main } = await makeQuotationWorld(app)
const { id } = await ask(mainBuyer, main)

/** The same database, and how many characters it has answered. */
const weighed = () => {
  const weight = { characters: 0 }
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      weight.characters += JSON.stringify(result.rows).length
      return result
    },
  }
  return { weight, scale: db.withPlugin(plugin) }
}
const page = { page: 1, limit: 1000 }

test('the list of revisions reads none of them', async () => {
  await admin(id, 'set-as-draft')
  const [{ content }] = [(await findRevision(db, id, 1)) ?? { content: undefined }]
  const large = { ...content, items: [{ ...content?.items[0], product: 'y'.repeat(500_000) }] }
  // As another writer may order it.
  const { net_amount: net, ...rest } = large
  await sql`
    insert into quotation_revisions (quotation_id, revision, content, created_by, created_at)
    values (${id}, 2, ${JSON.stringify(large)}, ${mainBuyer.id}, now()),
      (${id}, 3, ${JSON.stringify({ ...rest, net_amount: net })}, ${mainBuyer.id}, now())`.execute(db)
  const { weight, scale } = weighed()
  const { rows, count } = await listRevisions(scale, id, page)
  expect([count, rows.map(({ revision, netAmount }) => [revision, netAmount])]).toEqual([
    3,
    [
      [1, '300.00'],
      [2, '300.00'],
      [3, '300.00'],
    ],
  ])
  expect(weight.characters).toBeLessThan(2_000)
  const { results } = await must(call('GET', `/api/v1/quotations/${id}/revisions/`))
  expect(results[1]).toMatchObject({ revision: 2, created_by: mainBuyer.id, net_amount: '300.00' })
})
