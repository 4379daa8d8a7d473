import { minuteMs } from '#platform/clock.ts'
import type { Made } from '../api.ts'
import type { Chance } from '../history/chance.ts'
import { demoSecret } from '../receiver/verify.ts'
import { daysBefore, historyDays, type TravelClock } from '../time.ts'
import { products } from './goods.ts'
import type { People } from './people.ts'

export interface FlowsContext {
  readonly people: People
  readonly clock: TravelClock
  readonly chance: Chance
  readonly now: Date
  readonly receiver: string
}

/** Two outbound flows with what was sent through them, a table a day and orders now and then, and an inbound one. */
export const makeFlows = async ({ people, clock, chance, now, receiver }: FlowsContext): Promise<void> => {
  const { operator } = people
  const make = (fields: object) => operator<Made>('POST /api/nifi/flows', fields)
  clock.travelTo(daysBefore(now, historyDays + 8))
  const outbound = { direction: 'outbound', secret: demoSecret }
  const orders = await make({ ...outbound, name: 'Orders to the ERP', target: `${receiver}/ok/erp-import` })
  const stock = await make({
    ...outbound,
    name: 'Stock to the marketplaces',
    target: `${receiver}/sometimes/marketplaces`,
  })
  await make({ direction: 'inbound', name: 'Price lists of suppliers', is_active: true })
  for (let day = historyDays - 1; day >= 1; day--) {
    clock.travelTo(daysBefore(now, day, 6, 30))
    const rows = products.slice(0, 20).map(({ sku }) => `${sku};${chance.whole(0, 80)}`)
    await operator(
      `POST /api/nifi/flows/${stock.id}/data`,
      `sku;available\n${rows.join('\n')}\n`,
      'text/csv; charset=utf-8',
    )
    if (day % 2 === 0) continue
    clock.travelTo(new Date(daysBefore(now, day, 9).getTime() + chance.whole(0, 500) * minuteMs))
    const order = { number: `O-${20_000 + day * 7}`, total: chance.whole(90, 4_000), currency: 'EUR' }
    await operator(`POST /api/nifi/flows/${orders.id}/data`, JSON.stringify(order), 'application/json')
  }
}
