import { sql } from 'kysely'
import { catalogue } from '#events/catalogue.ts'
import { contentTypes } from '#events/content-types.ts'
import type { FakeClock } from '../fake-clock.ts'
import { makeProjects } from '../make-projects.ts'
import { makeQuotationWorld } from '../make-quotations.ts'
import type { TestApp } from '../make-test-app.ts'
import { makeApprovedQuotations } from './make-approved-quotations.ts'
import { makeErrorReports } from './make-error-reports.ts'
import { makeFulfilment } from './make-fulfilment.ts'
import { makeReleases } from './make-releases.ts'

/** A row of any list, as a client reads it. */
// oxlint-disable-next-line typescript/no-explicit-any -- what the wire said, compared by the tests
export type Row = any

/** Some rows of a list, and what its filters leave where the field that they are about has another name. */
export interface ListSample {
  readonly path: string
  /** Who reads it; the superuser by default. */
  readonly call?: TestApp['call']
  /** Filter → the value of a row that it compares, or a value of the filter and which rows it leaves, where they can say. */
  readonly fields?: Readonly<
    Record<
      string,
      ((row: Row) => unknown) | readonly [wanted: string | number, fits: ((row: Row) => boolean) | undefined]
    >
  >
}
type Samples = Readonly<Record<string, ListSample>>

/** Makes three rows or more of every list of the product, a minute apart. @returns operation id → where its rows are. */
export const makeLists = async (testApp: TestApp, clock: FakeClock): Promise<Samples> => {
  const call: TestApp['call'] = (...request) => {
    clock.advance(60_000)
    return testApp.call(...request)
  }
  const app = { ...testApp, call }
  return {
    ...(await people(app, testApp)),
    ...(await fulfilment(app)),
    ...(await projects(app)),
    ...(await reports(app)),
    ...(await quotations(app)),
    ...(await flows(app)),
    ...(await hooks(app)),
  }
}

const makePost = ({ call }: TestApp) => makeFulfilment({ call }).post
const thrice = async (make: (index: number) => Promise<unknown>): Promise<void> => {
  for (const index of [1, 2, 3]) await make(index)
}
const receiver = 'http://127.0.0.1:4109/'

const people = async (app: TestApp, still: TestApp): Promise<Samples> => {
  const post = makePost(app)
  await thrice((index) => post('/api/v1/auth/api-keys/', { name: `Key ${index}` }))
  await thrice((index) =>
    post('/api/v1/users/', { email: `u${index}@example.com`, password: 'battery staple', is_staff: index === 2 }),
  )
  await thrice(async (index) => {
    const { id } = await post<{ id: number }>('/api/v1/users/', { email: `new${index}@example.com` })
    await post(`/api/v1/users/${id}/invite/`)
  })
  const sessions = await loggedInThrice(app, still)
  return {
    listApiKeys: { path: '/api/v1/auth/api-keys/' },
    listUsers: { path: '/api/v1/users/' },
    listMails: { path: '/api/v1/mails/' },
    listSessions: { path: '/api/v1/auth/sessions/', call: sessions.call },
    listUserSessions: { path: `/api/v1/users/${sessions.user}/sessions/` },
  }
}

/**
 * Somebody with a login key and two pairs of tokens.
 * @param still the application without the minutes between: whoever reads the list uses a session of it.
 */
const loggedInThrice = async ({ call }: TestApp, still: TestApp) => {
  const login = { username: 'u1@example.com', password: 'battery staple' }
  const { key } = (await call('POST', '/api/v1/auth/login/', login)).json<{ key: string }>()
  for (const _ of [1, 2]) await call('POST', '/api/v1/auth/token/', login)
  const headers = { authorization: `Token ${key}` }
  const { id: user } = (await call('GET', '/api/v1/auth/me/', undefined, headers)).json<{ id: number }>()
  const asThem: TestApp['call'] = (method, url, body) => still.call(method, url, body, headers)
  return { user, call: asThem }
}

const fulfilment = async (app: TestApp): Promise<Samples> => {
  const { location, act, packageIn, transferIn, shipment } = makeFulfilment(app)
  const place = await location({ CHAIR: 10, DESK: 12, LAMP: 7 }, { kind: 'warehouse' })
  await location({}, { kind: 'store', is_active: false })
  await thrice((index) =>
    makePost(app)('/api/v1/event_types/', {
      name: `crm.lead${index}.won`,
      description: 'A lead is won.',
      is_active: index !== 2,
    }),
  )
  const parcel = await packageIn('packed')
  await shipment(parcel.id, { awb_number: 'AWB-1' })
  await packageIn('cancelled', { order_number: 'O-2' })
  await shipment((await packageIn('created', { order_number: 'O-3' })).id, { carrier: 'UPS' })
  await act((await packageIn('shipped')).id, 'pack-for-refund')
  const transfer = await transferIn('transferred')
  await transferIn('cancelled')
  await transferIn('created', { package: parcel.id, carrier: 'UPS', awb_number: 'AWB-2' })
  const skus = (row: Row) => row.items.map(({ sku }: { sku: string }) => sku)
  return {
    listEventTypes: { path: '/api/v1/event_types/' },
    listStockLocations: { path: '/api/v1/stock_locations/' },
    listStockMovements: { path: `/api/v1/stock_locations/${place}/movements/` },
    listStock: { path: `/api/v1/stock_locations/${place}/stock/` },
    listPackages: { path: '/api/v1/packages/', fields: { sku: skus, quotation_order: [987_654, () => false] } },
    listPackageHistory: { path: `/api/v1/packages/${parcel.id}/history/` },
    listShipments: { path: '/api/v1/shipments/' },
    listTransfers: { path: '/api/v1/transfers/', fields: { sku: skus } },
    listTransferHistory: { path: `/api/v1/transfers/${transfer.id}/history/` },
  }
}

const projects = async (app: TestApp): Promise<Samples> => {
  const made = await makeProjects(app)
  const { projectUrl, organizationUrl, makeProject } = made
  const releases = makeReleases(app, made)
  await thrice(() => makeProject())
  await thrice(() => releases.distribution())
  const post = makePost(app)
  const webhooks = `${projectUrl}/settings/webhooks`
  await thrice((index) =>
    post(webhooks, { name: `Hook ${index}`, url: receiver, events: ['deployment.build.created'] }),
  )
  const [webhook] = (await app.call('GET', webhooks)).json<{ _id: string }[]>()
  await thrice(() => post(`${webhooks}/${webhook?._id}/ping`))
  await thrice((index) => app.call('PATCH', `${webhooks}/${webhook?._id}`, { active: index === 2 }))
  const ios = { certificateExpiration: '2026-11-23T00:00:00Z', provisioningExpiration: '2026-12-01T00:00:00Z' }
  await app.call('PATCH', projectUrl, { credential: { ios: { production: ios, staging: ios } } })
  return {
    listOrganizations: { path: '/api/v1/organizations' },
    listMembers: { path: `${organizationUrl}/members` },
    listProjects: { path: `${organizationUrl}/projects` },
    listDeployments: { path: `${projectUrl}/deployments` },
    listDistributions: { path: `${projectUrl}/distributions` },
    listProjectWebhooks: { path: webhooks },
    listProjectWebhookHealthChanges: { path: `${webhooks}/${webhook?._id}/health/history` },
    listProjectWebhookDeliveries: {
      path: `${webhooks}/${webhook?._id}/deliveries`,
      fields: { event: (row) => row.event ?? row.eventType },
    },
  }
}

const reports = async (app: TestApp): Promise<Samples> => {
  const { channel, report, ofChannel } = makeErrorReports(app)
  const post = makePost(app)
  const [one, two] = [await channel(), await channel('Other')]
  await channel('Third')
  await thrice((index) =>
    post('/api/v1/place_mappings/', {
      channel: one,
      type: 'city',
      remote_code: `C-${index}`,
      local_id: index,
      local_name: 'x',
    }),
  )
  for (const kind of [1, 13, 15]) {
    await report({ action_content_type: kind })
    await ofChannel(one, { action_content_type: kind, error_desc: `Desk ${kind}` })
    await ofChannel(two, { action_content_type: kind, is_ok: true })
  }
  const [group] = (await app.call('GET', '/api/v1/error_report_groups/')).json<{ id: number }[]>()
  const me = (await app.call('GET', '/api/v1/auth/me/')).json<{ id: number }>().id
  await app.call('PATCH', `/api/v1/error_report_groups/${group?.id}/`, { assignee: me })
  const fields = {
    catalog: ['Main', (row: Row) => row.channel === one],
    target_content_type: ['Channel', (row: Row) => row.target_content_type === contentTypes.channel],
    target_content_type_id: (row: Row) => row.target_content_type,
    action_content_type: ['package', (row: Row) => row.action_content_type === contentTypes.package],
    action_content_type_id: (row: Row) => row.action_content_type,
    action_object_id__in: (row: Row) => row.action_object_id,
    q: ['DESK', (row: Row) => /\bdesk\b/i.test(row.error_desc)],
  } as const
  return {
    listCatalogs: { path: '/api/v1/catalogs/' },
    listChannels: { path: '/api/v1/channels/', fields: { catalog: (row) => row.catalog?.id ?? row.catalog } },
    listContentTypes: { path: '/api/v1/content_types/' },
    listErrorReports: { path: '/api/v1/error_reports/', fields },
    listChannelErrorReports: { path: `/api/v1/channel/${one}/error_reports/`, fields },
    listErrorReportGroups: {
      path: '/api/v1/error_report_groups/',
      fields: { q: (row) => `${row.title} ${row.code_pattern}`, regressed: (row) => row['regressed_date'] !== null },
    },
    listPlaceMappings: { path: '/api/v1/place_mappings/' },
  }
}

const quotations = async (app: TestApp): Promise<Samples> => {
  const world = await makeQuotationWorld(app)
  const { owner, mainBuyer, branch, main, ask, admin, division, product, chair } = world
  await app.call('PATCH', `/api/v1/divisions/${main}/`, { phone_number: '+49 30 123' })
  await app.call('PATCH', `/api/v1/divisions/${branch}/`, { name: 'Shop 100%', phone_number: '+90 212 9' })
  await division()
  await product({ currency: 'JPY' })
  await app.call('POST', '/api/v1/products/', {
    remote_id: 'SEAT',
    name: 'Stool',
    price: 1,
    currency: 'EUR',
    category: 'Seats',
  })
  const words = { q: (row: Row) => `${row.name} ${row.sku} ${row.category}` }
  const first = await ask(mainBuyer, main, { [chair]: 7 }, 'Autumn order')
  await ask(owner, branch)
  await ask(mainBuyer, main, { [chair]: 2 })
  await ask(owner, branch, { [chair]: 5 }, 'Chairs')
  await ask(owner, branch, { [chair]: 9 })
  await thrice((index) =>
    makePost(app)('/api/v1/prices/', {
      division: index === 1 ? main : branch,
      covers: index === 2 ? 'division' : 'tree',
      product_remote_id: chair,
      name: `List ${index}`,
      price: index,
      valid_from: `2026-0${index}-01`,
      valid_to: ['2026-07-14', '2026-11-30', '2026-12-31'][index - 1],
    }),
  )
  await thrice((index) => admin(first.id, 'comments', { text: `Comment ${index}` }))
  await thrice(async (index) => {
    await admin(first.id, 'set-as-draft')
    await admin(first.id, 'discounts', { discount_type: 'fixed', value: index })
    await admin(first.id, 'send-approval-request')
  })
  await thrice((index) =>
    owner
      .call('POST', '/api/v1/basket/', { product_remote_id: chair, division: branch, quantity: index })
      .then(() => owner.call('POST', '/api/v1/basket/save/', { name: `Basket ${index}` })),
  )
  const approved = makeApprovedQuotations(app.database.db)
  const lines = [{ productRemoteId: 'CHAIR', net: 900n, divisions: [{ id: await approved.division(), quantity: 3 }] }]
  const ordered = await approved.quotation({ lines, batchSize: 1 })
  const bought = await ask(mainBuyer, main, { [chair]: 1_200 })
  await admin(bought.id, 'approve')
  const path = `/api/v1/quotations/${ordered.id}`
  const filters = {
    division: (row: Row) => row.user.division.id,
    user: (row: Row) => row.user.id,
    phone_number: (row: Row) => row.user.division.phone_number,
    order_status: ['pending', (row: Row) => [ordered.id, bought.id].includes(row.id)],
    scope: ['tree', undefined],
  } as const
  await admin(ordered.id, 'create-orders')
  await thrice(() => app.call('GET', '/api/v1/quotations/export/?format=csv'))
  const comments = `/api/v1/quotations/${first.id}`
  const mine = `/api/v1/my-quotations/${first.id}`
  return {
    listDivisions: { path: '/api/v1/divisions/' },
    listMyDivisions: { path: '/api/v1/my-divisions/', call: mainBuyer.call },
    listProducts: { path: '/api/v1/products/', fields: words },
    listMyProducts: { path: '/api/v1/my-products/', call: mainBuyer.call, fields: words },
    listPrices: {
      path: '/api/v1/prices/',
      fields: { holds_at: ['2026-07-15T00:00:00Z', (row: Row) => row.name !== 'List 1'] },
    },
    listBasketDrafts: { path: '/api/v1/basket/drafts/', call: owner.call },
    listMyQuotations: { path: '/api/v1/my-quotations/', call: mainBuyer.call, fields: filters },
    listQuotations: { path: '/api/v1/quotations/', fields: filters },
    listQuotationAudit: { path: `${comments}/audit/` },
    listMyQuotationComments: { path: `${mine}/comments/`, call: mainBuyer.call },
    listQuotationComments: { path: `${comments}/comments/` },
    listMyQuotationRevisions: { path: `${mine}/revisions/`, call: mainBuyer.call },
    listQuotationRevisions: { path: `${comments}/revisions/` },
    listOrders: {
      path: '/api/v1/orders/',
      fields: { division: (row) => row.division.id, quotation: (row) => row.quotation.id },
    },
    listExports: { path: '/api/v1/exports/' },
    listMyOrders: {
      path: '/api/v1/my-orders/',
      call: mainBuyer.call,
      fields: {
        division: (row) => row.division.id,
        quotation: (row) => row.quotation.id,
        scope: ['tree', undefined],
        status: ['pending', () => true],
      },
    },
    listQuotationOrders: { path: `${path}/orders/` },
    previewQuotationOrders: { path: `${path}/order-preview/` },
  }
}

const flows = async (app: TestApp): Promise<Samples> => {
  const post = makePost(app)
  const url = '/api/nifi/flows'
  const ids: number[] = []
  await thrice(async () => ids.push((await post<{ id: number }>(url, { direction: 'outbound', target: receiver })).id))
  await thrice((index) => post(`${url}/${ids[0]}/data`, { index }))
  return { listFlows: { path: url }, listFlowRuns: { path: `${url}/${ids[0]}/runs` } }
}

const hooks = async (app: TestApp): Promise<Samples> => {
  const post = makePost(app)
  const data = catalogue['package.created'].example
  for (const path of ['a', 'b', 'c']) {
    await post('/whisperer/hooks/', {
      event_type: 'package.created',
      target_url: `${receiver}${path}`,
    })
    await post('/api/v1/events/', { id: path, type: 'package.created', data })
  }
  // As attempts leave them; nothing is delivered here.
  await sql`update deliveries set status = 'failed', attempts = 1, last_reason = 'http_503', last_status = 503, finished_at = now()
    where id in (select id from deliveries where status = 'pending' order by id desc limit 2)`.execute(app.database.db)
  await thrice(() => post('/whisperer/hook_events/retry/', { filter: { status: 'failed' }, start: true }))
  await post('/whisperer/hooks/', { event_type: 'shipment.created', target_url: receiver, is_active: false })
  const { id } = await post<{ id: number }>('/whisperer/hooks/', { event_type: '*', target_url: `${receiver}d` })
  await thrice((index) => app.call('PATCH', `/whisperer/hooks/${id}/`, { is_active: index === 2 }))
  const ofPackages = ['package-created', (row: Row) => row.event_type === 'package.created'] as const
  return {
    listHooks: { path: '/whisperer/hooks/', fields: { event_type: ofPackages } },
    listHookEvents: {
      path: '/whisperer/hook_events/',
      fields: {
        webhook: (row) => row.webhook.id,
        event_type: ofPackages,
        waiting_for_earlier: (row) => row.status === 'waiting',
      },
    },
    listHookAttempts: { path: `/whisperer/hooks/${await makeAttempts(app)}/attempts/` },
    listSubscriptions: {
      path: '/api/v1/subscriptions/',
      fields: {
        health: ['healthy', (row) => row.health === 'healthy'],
        q: ['HOOK 2', (row) => row.name === 'Hook 2'],
      },
    },
    listEvents: { path: '/api/v1/events/' },
    listHookHealthChanges: { path: `/whisperer/hooks/${id}/health/history/` },
    listRedeliveries: { path: '/whisperer/redeliveries/' },
  }
}

/** As a failed delivery leaves them. @returns the hook that has them. */
const makeAttempts = async ({ database: { db } }: TestApp): Promise<number> => {
  const { rows } = await sql<{ hook: number }>`
    with delivery as (select id, subscription_id from deliveries where status = 'failed' order by id limit 1),
    made as (
      insert into attempts (delivery_id, number, started_at, duration_ms, outcome, reason, response_status)
      select id, number, ${new Date('2031-11-21T09:30:00Z')}::timestamptz + number * interval '1 minute', 100,
        case number when 4 then 'failed' else 'retry' end, 'http_503', 500 + number
      from delivery, generate_series(1, 4) number
    )
    select subscription_id as hook from delivery`.execute(db)
  return rows[0]?.hook ?? 0
}
