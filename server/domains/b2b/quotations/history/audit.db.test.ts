import { sql, type KyselyPlugin } from 'kysely'
import { expect, test } from 'vitest'
import { makeQuotationWorld } from '#testing/make-quotations.ts'
import { makeTestApp } from '#testing/make-test-app.ts'
import { findAudit, listAudit } from './audit-store.ts'
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

/** As edits of a large quotation were written down once: with all of its items. */
const makeOldEntries = async (count: number): Promise<void> => {
  const fields = { total_amount: '300.00', 'item 1': { product: 'x'.repeat(500_000) } }
  await sql`
    insert into quotation_audit (quotation_id, action, user_id, actor, surface, before, after, request_id, created_at)
    select ${id}::bigint, 'edit', null, 'super', 'admin', ${JSON.stringify(fields)}, ${JSON.stringify(fields)}, null, now()
    from generate_series(1, ${count}::int)`.execute(db)
}

test('a page of the audit is short, whatever was written down, and each entry can be read by itself', async () => {
  await makeOldEntries(30)
  const { weight, scale } = weighed()
  const { rows, count } = await listAudit(scale, id, page)
  expect(rows).toHaveLength(count)
  expect(weight.characters).toBeLessThan(20_000)
  expect(rows[0]).toMatchObject({ action: 'create', isShortened: false, after: { status: 'pending' } })
  expect(rows.at(-1)).toMatchObject({ action: 'edit', isShortened: true, before: null, after: null })

  const path = `/api/v1/quotations/${id}/audit/`
  const { results } = await must(call('GET', `${path}?limit=1000`))
  const { is_shortened: isShortened, after, ...last } = results.at(-1)
  expect([isShortened, after]).toEqual([true, null])
  const whole = await must(call('GET', `${path}${last.id}/`))
  expect(whole).toMatchObject({ id: last.id, is_shortened: false, before: { total_amount: '300.00' } })
  expect(whole.after['item 1'].product).toHaveLength(500_000)
  expect(await findAudit(db, id + 1, last.id)).toBeUndefined()
  for (const missing of [`${path}999999999/`, `/api/v1/quotations/999999/audit/${last.id}/`]) {
    expect((await call('GET', missing)).statusCode).toBe(404)
  }
  expect((await mainBuyer.call('GET', `${path}${last.id}/`)).statusCode).toBe(403)
})

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
