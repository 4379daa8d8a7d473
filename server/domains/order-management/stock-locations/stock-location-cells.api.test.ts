import { describe, expect, test } from 'vitest'
import { makeFulfilment } from '#testing/data/make-fulfilment.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const { call, database } = await makeTestApp()
const fulfilment = makeFulfilment({ call })

const chair = { items: [{ sku: 'CHAIR', quantity: 1 }] }
const setActive = (id: number, isActive: boolean) =>
  call('PATCH', `/api/v1/stock_locations/${id}/`, { is_active: isActive })

/** Locations in the situations that matter, each with 10 chairs. */
const situations = {
  active: async () => fulfilment.location({ CHAIR: 10 }),
  inactive: async () => {
    const id = await fulfilment.location({ CHAIR: 10 })
    await setActive(id, false)
    return id
  },
  'at work on a package': async () => (await fulfilment.packageIn('transitioned')).stock_location ?? 0,
  'inactive with a package': async () => {
    const id = (await fulfilment.packageIn('transitioned')).stock_location ?? 0
    await setActive(id, false)
    return id
  },
  'inactive source of a ready transfer': async () => {
    const id = (await fulfilment.transferIn('ready_to_shipment')).from_location
    await setActive(id, false)
    return id
  },
  'inactive goal of goods under way': async () => {
    const id = await goal('in_transit')
    await setActive(id, false)
    return id
  },
  'source of a new transfer': async () => (await fulfilment.transferIn('created')).from_location,
  'source of a transitioned transfer': async () => (await fulfilment.transferIn('transitioned')).from_location,
  'source of a ready transfer': async () => (await fulfilment.transferIn('ready_to_shipment')).from_location,
  'source of goods under way': async () => (await fulfilment.transferIn('in_transit')).from_location,
  'source of a transfer that arrived': async () => (await fulfilment.transferIn('transferred')).from_location,
  'source of a cancelled transfer': async () => (await fulfilment.transferIn('cancelled')).from_location,
  'goal of a new transfer': async () => goal('created'),
  'goal of goods under way': async () => goal('in_transit'),
  'goal of a transfer that arrived': async () => goal('transferred'),
  'goal of a cancelled transfer': async () => goal('cancelled'),
}
type Situation = keyof typeof situations
const goal = async (status: 'created' | 'in_transit' | 'transferred' | 'cancelled') =>
  (await fulfilment.transferIn(status, { to_location: await fulfilment.location({ CHAIR: 10 }) })).to_location

const operations = {
  deactivate: (id: number) => setActive(id, false),
  activate: (id: number) => setActive(id, true),
  'change the name': (id: number) => call('PATCH', `/api/v1/stock_locations/${id}/`, { name: 'New name' }),
  'add stock': (id: number) =>
    call('POST', `/api/v1/stock_locations/${id}/stock/`, { sku: 'CHAIR', quantity: 1, reason: 'Found' }),
  'take stock': (id: number) =>
    call('POST', `/api/v1/stock_locations/${id}/stock/`, { sku: 'CHAIR', quantity: -1, reason: 'Lost' }),
  'send a package there': (id: number) =>
    call('POST', '/api/v1/packages/', { order_number: 'O-1', stock_location: id, ...chair }),
  'transfer from there': async (id: number) =>
    call('POST', '/api/v1/transfers/', { from_location: id, to_location: await fulfilment.location(), ...chair }),
  'transfer to there': async (id: number) =>
    call('POST', '/api/v1/transfers/', {
      from_location: await fulfilment.location({ CHAIR: 1 }),
      to_location: id,
      ...chair,
    }),
}
type Operation = keyof typeof operations

const isInactive = (situation: Situation) => situation.startsWith('inactive')

/** What each operation says to a location that does not take it; absent: it is done. */
const refusal: Partial<Record<Operation, (situation: Situation) => string | undefined>> = {
  'add stock': (situation) => (isInactive(situation) ? 'location_inactive' : undefined),
  'send a package there': (situation) => (isInactive(situation) ? 'stock_location' : undefined),
  'transfer from there': (situation) => (isInactive(situation) ? 'from_location' : undefined),
  'transfer to there': (situation) => (isInactive(situation) ? 'to_location' : undefined),
}
const cells = (Object.keys(situations) as Situation[]).flatMap((situation) =>
  (Object.keys(operations) as Operation[]).map((operation) => ({
    situation,
    operation,
    code: refusal[operation]?.(situation),
  })),
)

const tryCell = async (situation: Situation, operation: Operation) => {
  const id = await situations[situation]()
  const look = async () => ({
    location: (await call('GET', `/api/v1/stock_locations/${id}/`)).json<Record<string, unknown>>(),
    stock: await fulfilment.balance(id, 'CHAIR'),
    events: await database.db
      .selectFrom('events')
      .select(['type', 'sequence'])
      .where('objectType', '=', 'stocklocation')
      .where('objectId', '=', String(id))
      .orderBy('sequence')
      .execute(),
  })
  const before = await look()
  const answer = await operations[operation](id)
  return { before, answer, after: await look() }
}

describe('every operation on a location in every situation', () => {
  test.each(cells.filter(({ code }) => code === undefined))(
    '$situation: $operation is done, with an event when the location changed',
    async ({ situation, operation }) => {
      const { before, answer, after } = await tryCell(situation, operation)
      expect([200, 201]).toContain(answer.statusCode)
      const { modified_date: _, ...was } = before.location
      const { modified_date: __, ...is } = after.location
      const raised = after.events.slice(before.events.length)
      const isChanged = JSON.stringify(is) !== JSON.stringify(was)
      expect(raised.map(({ type }) => type)).toEqual(isChanged ? ['stock_location.updated'] : [])
      expect(is['is_active']).toBe(operation === 'activate' || (operation !== 'deactivate' && was['is_active']))
    },
  )

  test.each(cells.filter(({ code }) => code !== undefined))(
    '$situation: $operation is refused with $code, and nothing changes',
    async ({ situation, operation, code }) => {
      const { before, answer, after } = await tryCell(situation, operation)
      expect(answer.statusCode).toBe(400)
      const body = answer.json<Record<string, unknown>>()
      expect([body['code'], ...Object.keys(body)]).toContain(code)
      expect(after).toEqual(before)
    },
  )
})
