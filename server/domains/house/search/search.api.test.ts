import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { webhookIdOf, readInstallationId } from '#delivery/tables/webhook-id.ts'
import { makeQuotationWorld } from '#testing/make-quotations.ts'
import { makePeople } from '#testing/make-people.ts'
import { makeProjects } from '#testing/make-projects.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const app = await makeTestApp()
const { call, database } = app
const { db } = database
const { person, authorization } = makePeople(app)
const world = await makeQuotationWorld(app)
const projects = await makeProjects(app)

interface Found {
  readonly kind: string
  readonly id: string
  readonly title: string
  readonly path: string
}
const search = async (q: string, headers: Record<string, string> = {}): Promise<Found[]> => {
  const answer = await call('GET', `/api/v1/search/?q=${encodeURIComponent(q)}`, undefined, headers)
  expect(answer.statusCode).toBe(200)
  return answer.json()
}
const paths = async (q: string, headers: Record<string, string> = {}) =>
  (await search(q, headers)).map(({ path }) => path)
const made = async (method: 'POST', url: string, body: unknown, headers: Record<string, string> = {}) => {
  const answer = await call(method, url, body, headers)
  expect(answer.statusCode).toBe(201)
  return answer.json()
}

const staff = await authorization(await person({ is_staff: true }))
const quotation = await world.ask(world.owner, world.branch, undefined, 'Winter delivery to İzmir')
const location = await made('POST', '/api/v1/stock_locations/', { code: 'MAIN-7', name: 'Main', kind: 'warehouse' })
await made('POST', `/api/v1/stock_locations/${location.id}/stock/`, { sku: 'A', quantity: 5, reason: 'First count' })
const parcel = await made('POST', '/api/v1/packages/', { order_number: 'SHOP/77', items: [{ sku: 'A', quantity: 1 }] })
const hook = await made('POST', '/whisperer/hooks/', {
  event_type: 'package.created',
  target_url: 'https://receiver.example/In?x=1',
})
const insertDelivery = async (id: number, event: number, subscription: number) => {
  await sql`insert into deliveries (id, event_id, subscription_id, event_type, object_type, object_id, next_attempt_at)
    values (${id}, ${event}, ${subscription}, 'package.created', 'package', '5', now())`.execute(db)
}
const [delivery, event] = [900_000_000_001, 900_000_000_000]
await insertDelivery(delivery, event, hook.id)

describe('what has an id or a number is found by it alone', () => {
  test('quotations by number in any case, and by part of the name', async () => {
    const path = `/quotations/${quotation.id}`
    expect(await search(quotation.number.toLowerCase())).toEqual([
      { kind: 'quotation', id: String(quotation.id), title: quotation.number, subtitle: quotation.name, path },
    ])
    expect(await paths(' winter DEL ', staff)).toEqual([path])
    expect(await paths('wi', staff)).toEqual([])
  })

  test('orders by number and remote number', async () => {
    await sql`insert into quotation_orders (number, quotation_id, revision, division_id, division_name, batch_no, quantity, amount,
        currency, items, status, remote_number, created_at, modified_at)
      values (${`${quotation.number}-1`}, ${quotation.id}, 1, ${world.branch}, 'Branch', 1, 1, 1, 'EUR', '[]', 'created', 'ERP/9',
        now(), now())`.execute(db)
    const [path] = await paths(`${quotation.number}-1`)
    expect(path).toMatch(/^\/orders\/\d+$/)
    expect(await paths('ERP/9')).toEqual([path])
  })

  test('packages by number and order, shipments by AWB number, stock locations by code', async () => {
    expect(await paths(parcel.number)).toEqual([`/packages/${parcel.id}`])
    expect(await paths('SHOP/77')).toEqual([`/packages/${parcel.id}`])
    expect(await paths('main-7')).toEqual([`/stock_locations/${location.id}`])
    await sql`insert into shipments (package_id, carrier, awb_number, status, created_at, modified_at)
      values (${parcel.id}, 'Fast', 'AWB 1', 'created', now(), now())`.execute(db)
    expect(await search('AWB 1')).toMatchObject([{ kind: 'shipment', title: 'AWB 1', subtitle: 'Fast' }])
  })

  test('products by sku and name, divisions by ERP code and name', async () => {
    expect(await search(world.chair)).toMatchObject([{ kind: 'product', subtitle: world.chair }])
    const [product] = await search(world.chair)
    expect((await search(product?.title ?? '')).map(({ path }) => path)).toContain(product?.path)
    const { rows } = await sql<{ erpCode: string; name: string }>`
      select erp_code, name from divisions where id = ${world.branch}`.execute(db)
    expect(await paths(rows[0]?.erpCode.toLowerCase() ?? '')).toEqual([`/divisions/${world.branch}`])
    expect(await paths(rows[0]?.name ?? '')).toContain(`/divisions/${world.branch}`)
  })

  test('deliveries by id, by webhook-id with and without hyphens, and by event', async () => {
    const uuid = webhookIdOf(delivery, await readInstallationId(db))
    const path = `/deliveries/${delivery}`
    for (const q of [String(delivery), uuid, uuid.replaceAll('-', ''), uuid.toUpperCase(), String(event)])
      expect(await search(q)).toMatchObject([
        { kind: 'delivery', title: 'package.created', subtitle: 'package 5', status: 'pending', path },
      ])
  })

  test('a delivery by its id alone, though another is of an event with the same id', async () => {
    await insertDelivery(delivery + 1, delivery, hook.id)
    expect(await paths(String(delivery))).toEqual([`/deliveries/${delivery}`])
    expect(await paths(String(delivery + 1))).toEqual([`/deliveries/${delivery + 1}`])
  })

  test('hooks by id and whole URL', async () => {
    expect(await paths('HTTPS://receiver.example/in?x=1')).toEqual([`/hooks/${hook.id}`])
    expect(await paths(String(hook.id))).toContain(`/hooks/${hook.id}`)
  })

  test('error reports and their groups by id', async () => {
    const report = await made('POST', '/api/v1/error_reports/', {
      action_content_type: 1,
      action_object_id: 1,
      obj_modified_date: '2026-11-21 09:30:00',
      error_code: 'E-1',
      error_desc: 'Broken',
    })
    expect(await paths(String(report.id))).toContain(`/error_reports/${report.id}`)
    expect(await paths(String(report.group))).toContain(`/error_report_groups/${report.group}`)
  })

  test('people by e-mail in any case, by a part of it, and by last name', async () => {
    const { id } = await person({ email: 'Ada.Lovelace@example.com', first_name: 'Ada', last_name: 'Lovelace' })
    for (const q of ['ada.lovelace@EXAMPLE.com', 'lovelace@', 'lovelace', 'Ada Lovelace'])
      expect(await search(q)).toMatchObject([{ kind: 'user', title: 'Ada Lovelace', path: `/users/${id}` }])
    expect(await search('lovelace', staff)).toEqual([])
  })

  test('organizations, projects and what is in them by ids of 24 digits', async () => {
    const { organizationId, projectId, callAs, headers, projectUrl } = projects
    const path = `/organizations/${organizationId}/projects/${projectId}`
    expect(await paths(organizationId.toUpperCase(), headers.viewer)).toEqual([`/organizations/${organizationId}`])
    expect(await paths(projectId, headers.viewer)).toEqual([path])
    const webhook = await callAs('owner', `POST ${projectUrl}/settings/webhooks`, {
      name: 'CI',
      url: 'https://ci.example/',
      events: ['deployment.build.succeeded'],
    })
    expect(webhook.statusCode).toBe(201)
    const { rows } = await sql<{ id: string; subscriptionId: number }>`
      select id, subscription_id from project_webhooks`.execute(db)
    const { id: webhookId = '', subscriptionId = 0 } = rows[0] ?? {}
    expect(await paths(webhookId, headers.viewer)).toEqual([`${path}/settings/webhooks/${webhookId}`])
    await insertDelivery(0xff0000000, 1, subscriptionId)
    const hex = (0xff0000000).toString(16).padStart(24, '0')
    expect(await paths(hex, headers.viewer)).toEqual([`${path}/settings/webhooks/${webhookId}/deliveries/${hex}`])
    expect(await paths('test organ', headers.viewer)).toEqual([`/organizations/${organizationId}`])
    for (const id of [organizationId, projectId, webhookId, hex, 'test organ'])
      expect(await search(id, headers.outsider)).toEqual([])
  })
})

test('staff do not find the hooks of others, and buyers only their own quotations', async () => {
  expect(await search(String(delivery), staff)).toEqual([])
  const mine = (q: string) => world.owner.call('GET', `/api/v1/search/?q=${encodeURIComponent(q)}`)
  expect((await mine(quotation.number)).json()).toMatchObject([{ path: `/shop/quotations/${quotation.id}` }])
  expect((await mine(parcel.number)).json()).toEqual([])
  const other = await world.mainBuyer.call('GET', `/api/v1/search/?q=${quotation.number}`)
  expect(other.json()).toEqual([])
})

test('a number is found as the id of everything that has it, at most ten, and odd texts find nothing', async () => {
  const kinds = (await search('1')).map(({ kind }) => kind)
  expect(kinds).toEqual(expect.arrayContaining(['quotation', 'package', 'product', 'division', 'hook']))
  expect(kinds.length).toBeLessThanOrEqual(10)
  for (const q of [
    '%',
    '_',
    "'",
    '\\',
    '   ',
    '9007199254740993',
    '99999999999999999999',
    'x'.repeat(200),
    '%%%',
    '___',
  ])
    expect(await search(q)).toEqual([])
  expect((await call('GET', '/api/v1/search/')).statusCode).toBe(400)
  expect((await call('GET', '/api/v1/search/?q=1', undefined, { authorization: '' })).statusCode).toBe(401)
})
