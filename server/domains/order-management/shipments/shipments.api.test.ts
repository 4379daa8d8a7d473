import { describe, expect, test } from 'vitest'
import { shipmentStatuses, type ShipmentStatus } from '#events/order-management.ts'
import { makeFulfilment } from '#testing/data/make-fulfilment.ts'
import { makeTestApp } from '#testing/make-test-app.ts'
import { testLifecycle } from '#testing/test-lifecycle.ts'
import {
  allowedActions,
  allowedStatuses,
  blockedActions,
  operatorOf,
  shipmentLifecycle,
  type ShipmentTerms,
} from './lifecycle.ts'

const { call, database } = await makeTestApp()
const fulfilment = makeFulfilment({ call })
const path = '/api/v1/shipments/'

const eventsOf = async (type: string, id: number) => {
  const rows = await database.db
    .selectFrom('events')
    .select(['type', 'sequence', 'body'])
    .where('objectType', '=', type)
    .where('objectId', '=', String(id))
    .orderBy('sequence')
    .execute()
  return rows.map(({ type: name, sequence, body }) => ({
    name,
    sequence,
    data: (JSON.parse(body) as { data: Record<string, unknown> }).data,
  }))
}
const namesOf = async (type: string, id: number) => (await eventsOf(type, id)).map(({ name }) => name)

/** A shipment in a status, and its package. */
const shipmentIn = async (status: ShipmentStatus, fields: object = {}) => {
  const parcel = await fulfilment.packageIn('packed')
  const { id } = await fulfilment.shipment(parcel.id, fields)
  if (status === 'cancelled') await fulfilment.post(`${path}${id}/cancel/`)
  else if (status === 'ready') await call('PATCH', `${path}${id}/`, { status })
  else if (status !== 'created') {
    await fulfilment.act(parcel.id, 'ship')
    if (status !== 'in_transit') await call('PATCH', `${path}${id}/`, { status })
  }
  return { id, packageId: parcel.id }
}

interface ShipmentBody {
  readonly status: ShipmentStatus
  readonly allowed_statuses: readonly string[]
  readonly allowed_actions: readonly string[]
  readonly blocked_actions: Readonly<Record<string, string>>
}

describe('every status after every status', () => {
  testLifecycle<ShipmentTerms, ShipmentBody>({
    lifecycle: shipmentLifecycle,
    database,
    about: 'shipment',
    requesters: [{ who: 'an operator', part: operatorOf({ transferId: null }), call }],
    reach: (status) => shipmentIn(status),
    situation: ({ status }) => ({ status }),
    url: (id) => `${path}${id}/`,
    shows: ({ status }) => ({
      allowed_statuses: allowedStatuses({ status, transferId: null }),
      allowed_actions: allowedActions({ status, transferId: null }),
      blocked_actions: blockedActions({ status, transferId: null }),
    }),
    staysAsItIs: true,
    request: async (status, url) => ['PATCH', url, { status }],
    refusal: (code, { action, situation, part }) => {
      const isOver = situation.status === 'cancelled'
      const reason = code === 'forbidden' ? code : shipmentLifecycle.reasonOf(code, action, situation, part)
      const allowed = allowedActions({ status: situation.status, transferId: null })
      const message = isOver ? 'A cancelled shipment cannot be changed.' : reason
      return [400, { non_field_errors: [message], code: 'shipment_move_not_allowed', allowed_actions: allowed }]
    },
    raises(shipment, { to }) {
      const { allowed_statuses: _, allowed_actions: __, blocked_actions: ___, ...data } = shipment
      const types = ['shipment.status.updated', ...(to === 'cancelled' ? ['shipment.cancelled'] : [])]
      return types.map((type) => ({ type, data }))
    },
  })

  test.each(shipmentStatuses)('%s: cancel', async (status) => {
    const { id } = await shipmentIn(status)
    const answer = await call('POST', `${path}${id}/cancel/`)
    const isAllowed = allowedActions({ status, transferId: null }).length > 0
    expect(answer.statusCode).toBe(isAllowed ? 200 : 400)
    expect(answer.json()).toMatchObject(
      isAllowed ? { status: 'cancelled' } : { code: 'shipment_move_not_allowed', allowed_actions: [] },
    )
  })
})

describe('creating a shipment', () => {
  test('raises its event, and the package shows it', async () => {
    const parcel = await fulfilment.packageIn('created')
    const answer = await call('POST', path, { package: parcel.id, carrier: 'DHL' })
    expect(answer.statusCode).toBe(201)
    expect(answer.json()).toMatchObject({
      package: parcel.id,
      carrier: 'DHL',
      awb_number: null,
      tracking_url: null,
      status: 'created',
      allowed_actions: ['cancel'],
    })
    const { allowed_actions: _, blocked_actions: ___, allowed_statuses: __, ...data } = answer.json()
    expect(await eventsOf('shipment', data.id)).toEqual([{ name: 'shipment.created', sequence: 1, data }])
    expect(await namesOf('package', parcel.id)).toEqual(['package.created'])
    expect((await call('GET', `/api/v1/packages/${parcel.id}/`)).json().shipment).toBe(data.id)
  })

  test('a package has one at a time, and of two at once one wins', async () => {
    const parcel = await fulfilment.packageIn('packed')
    const answers = await Promise.all([1, 2].map(() => call('POST', path, { package: parcel.id, carrier: 'DHL' })))
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([201, 400])
    expect(answers.find(({ statusCode }) => statusCode === 400)?.json()).toMatchObject({ code: 'shipment_exists' })
    const id = answers.find(({ statusCode }) => statusCode === 201)?.json().id
    await fulfilment.post(`${path}${id}/cancel/`)
    expect((await call('POST', path, { package: parcel.id, carrier: 'UPS' })).statusCode).toBe(201)
  })

  test.each(['shipped', 'packed_for_refund', 'cancelled'] as const)(
    'is refused when the package is %s',
    async (status) => {
      const parcel = await fulfilment.packageIn(status)
      const answer = await call('POST', path, { package: parcel.id, carrier: 'DHL' })
      expect(answer.statusCode).toBe(400)
      expect(answer.json()).toMatchObject({ code: 'package_takes_no_shipment' })
    },
  )

  test.each([
    [{ package: 999_999 }, 'package'],
    [{ package: '1' }, 'package'],
    [{ carrier: ' ' }, 'carrier'],
    [{ awb_number: 'x'.repeat(65) }, 'awb_number'],
    [{ awb_number: '' }, 'awb_number'],
    [{ tracking_url: 'javascript:alert(1)' }, 'tracking_url'],
    [{ tracking_url: 'https://' }, 'tracking_url'],
    [{ colour: 'red' }, 'colour'],
  ])('refuses %j', async (fields, field) => {
    const { id } = await fulfilment.packageIn('created')
    const answer = await call('POST', path, { package: id, carrier: 'DHL', ...fields })
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual({ [field]: [expect.stringMatching(/^[A-Z].*\.$/)] })
  })
})

describe('the awb number', () => {
  test('raises an event of the package when it is set and when it changes, and only then', async () => {
    const { id, packageId } = await shipmentIn('created', { awb_number: 'AWB-1' })
    await call('PATCH', `${path}${id}/`, { awb_number: 'AWB-1', carrier: 'UPS' })
    await call('PATCH', `${path}${id}/`, { awb_number: 'AWB-2' })
    await call('PATCH', `${path}${id}/`, { awb_number: null })
    const raised = (await eventsOf('package', packageId)).filter(({ name }) => name === 'package.shipment.awb_number')
    expect(raised.map(({ data }) => [data['awb_number'], data['id'], data['shipment']])).toEqual([
      ['AWB-1', packageId, id],
      ['AWB-2', packageId, id],
    ])
    expect(await namesOf('shipment', id)).toEqual(['shipment.created'])
  })

  test('can be set together with the status', async () => {
    const { id, packageId } = await shipmentIn('created')
    const answer = await call('PATCH', `${path}${id}/`, { awb_number: 'AWB-9', status: 'ready' })
    expect(answer.json()).toMatchObject({ awb_number: 'AWB-9', status: 'ready' })
    expect(await namesOf('shipment', id)).toEqual(['shipment.created', 'shipment.status.updated'])
    expect((await namesOf('package', packageId)).at(-1)).toBe('package.shipment.awb_number')
  })

  test('of a cancelled shipment cannot be changed', async () => {
    const { id } = await shipmentIn('cancelled')
    expect((await call('PATCH', `${path}${id}/`, { awb_number: 'X' })).statusCode).toBe(400)
  })
})

test('what was read can be sent back, and changes nothing', async () => {
  const { id } = await shipmentIn('in_transit', { awb_number: 'A' })
  const read = (await call('GET', `${path}${id}/`)).json()
  const answer = await call('PATCH', `${path}${id}/`, read)
  expect(answer.statusCode).toBe(200)
  expect(answer.json()).toEqual(read)
})

test('of shipping a package and cancelling its shipment at once, exactly one wins', async () => {
  const { id, packageId } = await shipmentIn('created')
  const [ship, cancel] = await Promise.all([
    call('POST', `/api/v1/packages/${packageId}/ship/`),
    call('POST', `${path}${id}/cancel/`),
  ])
  expect([ship.statusCode, cancel.statusCode].toSorted((a, b) => a - b)).toEqual([200, 400])
  const status = (await call('GET', `${path}${id}/`)).json().status
  expect(status).toBe(ship.statusCode === 200 ? 'in_transit' : 'cancelled')
})

test('a number that is set together with a cancellation is told to nobody as the number of the package', async () => {
  const { id, packageId } = await shipmentIn('created')
  const answer = await call('PATCH', `${path}${id}/`, { awb_number: 'TOO-LATE', status: 'cancelled' })
  expect(answer.json()).toMatchObject({ status: 'cancelled', awb_number: 'TOO-LATE' })
  const told = await database.db
    .selectFrom('events')
    .select('type')
    .where('objectType', '=', 'package')
    .where('objectId', '=', String(packageId))
    .execute()
  expect(told.map(({ type }) => type)).not.toContain('package.shipment.awb_number')
})

test('the list finds by every filter', async () => {
  const { id, packageId } = await shipmentIn('ready', { awb_number: 'FIND-ME' })
  const ids = async (query: string) =>
    (await call('GET', `${path}?${query}`)).json().map((row: { id: number }) => row.id)
  expect(await ids(`package=${packageId}`)).toEqual([id])
  expect(await ids('awb_number=FIND-ME')).toEqual([id])
  expect(await ids('awb_number=FIND-ME&status=ready')).toEqual([id])
  expect(await ids('awb_number=FIND-ME&status=created')).toEqual([])
  expect(await ids('created_date__lt=2000-01-01T00:00:00Z')).toEqual([])
  expect((await ids('limit=1'))[0]).toBeGreaterThanOrEqual(id)
})

test('an unknown shipment is 404', async () => {
  expect((await call('GET', `${path}999999/`)).statusCode).toBe(404)
  expect((await call('PATCH', `${path}999999/`, {})).statusCode).toBe(404)
  expect((await call('POST', `${path}999999/cancel/`)).statusCode).toBe(404)
})
