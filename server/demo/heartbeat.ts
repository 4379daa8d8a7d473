import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { makeLoop } from '#platform/loop.ts'
import type { Service } from '#platform/supervisor.ts'
import { makeApi, RefusedRequest, type Call, type Made } from './api.ts'
import { products } from './company/goods.ts'
import { makeChance, type Chance } from './history/chance.ts'
import { operator } from './logins.ts'

const everyMs = 20_000

/** Somebody is always at work: every few seconds a package goes on its way, or a customer asks something. */
export const makeHeartbeat = (app: FastifyInstance, log: Logger): Service => {
  const chance = makeChance(Date.now())
  let call: Call | undefined
  const run = async (): Promise<void> => {
    call ??= await makeApi(app).logIn(operator)
    try {
      await chance.pick(works)(call, chance)
    } catch (error) {
      // Somebody who looks at the demo may have been quicker, or have changed what this needs.
      if (!(error instanceof RefusedRequest)) throw error
      if (error.status === 401) call = undefined
      log.debug({ err: error }, 'demo.refused')
    }
  }
  return makeLoop({ name: 'demo-heartbeat', everyMs, log, run })
}

type Work = (call: Call, chance: Chance) => Promise<unknown>

interface Parcel extends Made {
  readonly shipment: number | null
}

/** Takes a package in this status one step on: one of the oldest. */
const moveOn =
  (status: string, action: string): Work =>
  async (call, chance) => {
    const found = await call<readonly Parcel[]>(`GET /api/v1/packages/?status=${status}&ordering=created_date&limit=20`)
    const [first] = found.slice(chance.whole(0, 5)).filter(({ shipment }) => action !== 'ship' || shipment !== null)
    if (first !== undefined) await call(`POST /api/v1/packages/${first.id}/${action}/`, {})
  }

const newPackage: Work = async (call, chance) => {
  const [location] = await call<readonly Made[]>('GET /api/v1/stock_locations/?is_active=true&limit=1')
  await call('POST /api/v1/packages/', {
    order_number: `WEB-${chance.whole(40_000, 99_999)}`,
    stock_location: location?.id ?? null,
    items: [{ sku: chance.pick(products, 1.7).sku, quantity: chance.whole(1, 3) }],
  })
}

const newLead: Work = (call, chance) => {
  const id = `L-${chance.whole(2_000, 99_999)}`
  const data = { id, company: 'Kahve Durağı', country: 'TR', value: chance.whole(8, 900) * 100 }
  return call('POST /api/v1/events/', {
    id: randomUUID(),
    type: 'crm.lead.created',
    object: { type: 'lead', id },
    data,
  })
}

const comment: Work = async (call, chance) => {
  const { results } = await call<{ readonly results: readonly Made[] }>(
    'GET /api/v1/quotations/?status=pending&limit=5',
  )
  if (results.length > 0)
    await call(`POST /api/v1/quotations/${chance.pick(results).id}/comments/`, {
      text: 'The warehouse has confirmed the date.',
    })
}

/** What is done more often stands there more often. */
const works: readonly Work[] = [
  newPackage,
  newPackage,
  moveOn('created', 'transition'),
  moveOn('created', 'transition'),
  moveOn('transitioned', 'pack'),
  moveOn('transitioned', 'pack'),
  moveOn('packed', 'ship'),
  moveOn('packed', 'ship'),
  newLead,
  comment,
]
