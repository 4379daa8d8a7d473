import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { dayMs, hourMs } from '#platform/clock.ts'
import { firstIdOf } from '#delivery/tables/time-id.ts'
import { makeApprovedQuotations } from '#testing/data/make-approved-quotations.ts'
import { makeErrorReports } from '#testing/data/make-error-reports.ts'
import { makePeople } from '#testing/make-people.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const app = await makeTestApp()
const { call, database, superuser } = app
const { db } = database
const { person, authorization } = makePeople(app)

interface Overview {
  readonly needs_you: readonly { readonly kind: string; readonly count: number; readonly path: string }[]
  readonly deliveries_24h?: {
    readonly hours: readonly { readonly at: string; readonly delivered: number; readonly failed: number }[]
    readonly pending: object
  }
  readonly setup: object
}
const read = async (headers: Record<string, string> = {}): Promise<Overview> => {
  const answer = await call('GET', '/api/v1/overview/', undefined, headers)
  expect(answer.statusCode).toBe(200)
  return answer.json()
}
/** What is counted, without what there is none of. */
const counts = ({ needs_you: needs }: Overview) =>
  Object.fromEntries(needs.filter(({ count }) => count > 0).map(({ kind, count }) => [kind, count]))

const makeHook = async (headers: Record<string, string> = {}): Promise<number> => {
  const body = { event_type: 'stock_location.created', target_url: `https://example.com/${Math.random()}` }
  const answer = await call('POST', '/whisperer/hooks/', body, headers)
  expect(answer.statusCode).toBe(201)
  return answer.json<{ id: number }>().id
}

test('an installation in which nothing has happened needs nobody, and has nothing set up', async () => {
  const { deliveries_24h: activity, ...overview } = await read()
  expect(overview.needs_you).toHaveLength(16)
  expect(overview.needs_you[0]).toEqual({ kind: 'hooks_failing', count: 0, is_more: false, path: '/hooks' })
  expect(counts({ ...overview })).toEqual({})
  expect(overview.setup).toEqual({
    has_subscription: false,
    has_event: false,
    has_delivered_event: false,
    has_stock_location: false,
    has_second_user: false,
  })
  expect(activity?.pending).toEqual({ count: 0, is_more: false })
  const times = activity?.hours.map(({ at }) => Date.parse(at)) ?? []
  expect(times).toEqual(times.map((_, index) => (times[0] ?? 0) + index * hourMs))
  expect(times.at(-1)).toBe(Math.floor(Date.now() / hourMs) * hourMs)
  expect(activity?.hours.every(({ delivered, failed }) => delivered + failed === 0)).toBe(true)
})

test('what fails, waits or expires is counted where it is, and nothing else', async () => {
  const now = Date.now()
  const hooks = [await makeHook(), await makeHook(), await makeHook(), await makeHook()]
  await sql`update subscriptions set health = 'failing' where id = ${hooks[0]}`.execute(db)
  await sql`update subscriptions set is_active = false, health = 'disabled', disabled_reason = 'gone' where id = ${hooks[1]}`.execute(
    db,
  )
  // A person has switched this one off.
  await call('PATCH', `/whisperer/hooks/${hooks[2]}/`, { is_active: false })

  const reports = makeErrorReports(app)
  const opened: { readonly group: number | null }[] = []
  for (const code of ['A', 'B', 'C']) opened.push(await reports.report({ error_code: code }))
  const groupOf = (index: number) => `/api/v1/error_report_groups/${opened[index]?.group}/`
  await call('PATCH', groupOf(0), { state: 'resolved' })
  await sql`update error_report_groups set regressed_at = now() where id = ${opened[1]?.group}`.execute(db)

  const make = makeApprovedQuotations(db)
  for (const [status, hours] of [
    ['pending', 47],
    ['pending', 49],
    ['draft', 1],
    ['request_approval', 1],
    ['approved', 1],
    ['pending', -1],
  ] as const)
    await make.quotation({ status, expiresAt: new Date(now + hours * hourMs) })
  const ordered = await make.quotation()
  expect((await call('POST', `/api/v1/quotations/${ordered.id}/create-orders/`, {})).statusCode).toBeLessThan(300)
  await sql`update quotation_orders set status = 'failed', next_attempt_at = null`.execute(db)

  const location = await call('POST', '/api/v1/stock_locations/', { code: 'MAIN', name: 'Main', kind: 'warehouse' })
  const stock = `/api/v1/stock_locations/${location.json<{ id: number }>().id}/stock/`
  expect((await call('POST', stock, { sku: 'A', quantity: 5, reason: 'First count' })).statusCode).toBe(201)
  const packed = { order_number: '1', items: [{ sku: 'A', quantity: 1 }] }
  const parcel = await call('POST', '/api/v1/packages/', packed)
  expect(parcel.statusCode).toBe(201)

  const organization = (await call('POST', '/api/v1/organizations/', { name: 'Apps' })).json<{ _id: string }>()._id
  const at = (days: number) => new Date(now + days * dayMs).toISOString()
  const project = {
    name: 'App',
    slug: 'app',
    credential: { ios: { production: { provisioningExpiration: at(29), certificateExpiration: at(31) } } },
    additionalCredentials: { ios: { staging: [{ bundleIdentifier: 'a', provisioningExpiration: at(-1) }] } },
  }
  const made = await call('POST', `/api/v1/organizations/${organization}/projects/`, project)
  expect(made.statusCode).toBe(201)

  const overview = await read()
  expect(counts(overview)).toEqual({
    hooks_failing: 1,
    hooks_switched_off: 1,
    error_groups_open: 2,
    error_groups_regressed: 1,
    orders_given_up: 1,
    quotations_pending: 3,
    quotations_draft: 1,
    quotations_expiring: 2,
    packages_to_pack: 1,
    certificates_expiring: 2,
  })
  const { _id: projectId } = made.json<{ _id: string }>()
  expect(overview.needs_you.at(-1)?.path).toBe(`/organizations/${organization}/projects/${projectId}`)
  expect(overview.setup).toMatchObject({ has_subscription: true, has_event: true, has_delivered_event: false })
  expect(overview.setup).toMatchObject({ has_stock_location: true, has_second_user: true })
})

test('deliveries are counted in the hour in which they were made, each reader seeing their own', async () => {
  const staff = await authorization(await person({ is_staff: true }))
  const own = await makeHook(staff)
  const other = await makeHook()
  await sql`delete from deliveries`.execute(db)
  const ago = (hours: number) => firstIdOf(new Date(Date.now() - hours * hourMs))
  const deliver = (id: number, hook: number, status: string) =>
    sql`insert into deliveries (id, event_id, subscription_id, status, next_attempt_at, finished_at)
      values (${id}, 1, ${hook}, ${status}, now(), now())`.execute(db)
  await deliver(ago(3), other, 'delivered')
  await deliver(ago(3) + 1, own, 'delivered')
  await deliver(ago(3) + 2, own, 'failed')
  await deliver(ago(1), own, 'pending')
  await deliver(ago(24), own, 'delivered')
  const hours = ({ deliveries_24h: activity }: Overview) => activity?.hours.at(-4)
  const sums = ({ deliveries_24h: activity }: Overview) =>
    activity?.hours.reduce((sum, { delivered, failed }) => sum + delivered + failed, 0)

  const seen = await read(staff)
  expect([hours(seen), sums(seen)]).toMatchObject([{ delivered: 1, failed: 1 }, 2])
  expect(seen.deliveries_24h?.pending).toEqual({ count: 1, is_more: false })
  expect(counts(seen)).not.toHaveProperty('hooks_failing')
  expect(seen.setup).toMatchObject({ has_delivered_event: true })
})

test('quotations wait for a decision only of those who may decide', async () => {
  const ofQuotations = ({ needs_you: needs }: Overview) =>
    needs.map(({ kind }) => kind).filter((kind) => kind.startsWith('quotations'))
  const staff = await authorization(await person({ is_staff: true }))
  expect(ofQuotations(await read(staff))).toEqual(['quotations_expiring'])
  expect(ofQuotations(await read())).toEqual(['quotations_pending', 'quotations_draft', 'quotations_expiring'])
})

test('a limited key sees what its scopes open; buyers see nothing', async () => {
  const key = async (...scopes: string[]) => {
    const made = await call('POST', '/api/v1/auth/api-keys/', { name: 'k', scopes })
    expect(made.statusCode).toBe(201)
    return { authorization: `Bearer ${made.json<{ key: string }>().key}` }
  }
  const orders = await read(await key('quotations:read'))
  expect(orders.needs_you.map(({ kind }) => kind.split('_')[0])).toEqual([
    'orders',
    'orders',
    ...Array(3).fill('quotations'),
  ])
  expect(orders).not.toHaveProperty('deliveries_24h')
  expect(await read(await key('hooks:read'))).toHaveProperty('deliveries_24h')
  const buyer = await authorization(await person())
  expect((await call('GET', '/api/v1/overview/', undefined, buyer)).statusCode).toBe(403)
  expect((await call('GET', '/api/v1/overview/', undefined, { authorization: '' })).statusCode).toBe(401)
  expect(superuser.email).toBe('admin@waybill.test')
})
