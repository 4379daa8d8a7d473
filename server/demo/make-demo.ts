import type { FastifyInstance } from 'fastify'
import { readInstallationId } from '#delivery/tables/webhook-id.ts'
import { dayMs } from '#platform/clock.ts'
import type { Database } from '#platform/db/database.ts'
import { makeApi, makersKeyName, type Api, type Made } from './api.ts'
import { makeApps, makeWebhooks } from './company/apps.ts'
import { makeErrors } from './company/errors.ts'
import { makeFlows } from './company/flows.ts'
import { makeLocations, makePrices, makeProducts, products, type Location } from './company/goods.ts'
import { makeHooks, type MadeHook } from './company/hooks.ts'
import { makeDivisions, makePeople, type People } from './company/people.ts'
import { makeQuotations } from './company/quotations.ts'
import { shipOrders } from './company/shipped-orders.ts'
import { makeChance, type Chance } from './history/chance.ts'
import { ok } from './history/outcomes.ts'
import { makeEventTypes, playLeads } from './history/own-events.ts'
import { settleOrders } from './history/orders.ts'
import { playPackages } from './history/packages.ts'
import { makeStockHistory } from './history/stock.ts'
import { playTransfers } from './history/transfers.ts'
import { writeDeliveries } from './history/write-deliveries.ts'
import { makeWeeks, writeEvents } from './history/write-events.ts'
import { writeFulfilment } from './history/write-fulfilment.ts'
import { writeSince, writeState } from './history/write-health.ts'
import { superuser } from './logins.ts'
import { daysBefore, historyDays, type TravelClock } from './time.ts'

export interface MakeDemoDeps {
  readonly app: FastifyInstance
  readonly database: Database
  /** The clock of the application, which is set back meanwhile. */
  readonly clock: TravelClock
  /** Origin of the receiver of the demo. */
  readonly receiver: string
  readonly say: (line: string) => void
}

/** The same company each time, only later. */
const seed = 1_923

/**
 * Makes a company with a month of history. What has rules is made through the API, at the times when it would have been; what
 * there is much of is written into the tables: packages, transfers, stock, events, deliveries and their attempts.
 */
export const makeDemo = async ({ app, database, clock, receiver, say }: MakeDemoDeps): Promise<void> => {
  const now = clock.now()
  const chance = makeChance(seed)
  const api = makeApi(app)
  say('People, divisions, products …')
  const { people, divisions, locations } = await makeCompany(api, clock, now)
  const context = { people, divisions, clock, chance, now, receiver }
  say('Quotations, apps, flows, errors …')
  await makeQuotations(context)
  const projects = await makeApps(context)
  await makeFlows(context)
  await makeErrors(context)
  await makeKeys(context)
  say('Hooks, and a month of packages and deliveries …')
  clock.travelTo()
  await makeWebhooks(people.member, projects, receiver)
  const filterLocation = locations[1]?.id ?? 0
  const hooks = await makeHooks(people, receiver, { now, filterLocation })
  const count = await writeHistory({ database, chance, now, people, locations, hooks })
  say(`${count.toLocaleString('en')} deliveries.`)
  await shipOrders(people.operator, clock, now)
  for (const format of ['xlsx', 'csv']) await people.boss(`GET /api/v1/quotations/export/?format=${format}`)
  await database.scriptTransaction(async (run) => {
    await run('delete from access_keys where name = $1', [makersKeyName])
    await run('analyze')
  })
}

const makeCompany = async (api: Api, clock: TravelClock, now: Date) => {
  clock.travelTo(daysBefore(now, historyDays + 15))
  const boss = await api.as(superuser)
  const divisions = await makeDivisions(boss)
  const people = await makePeople(api, boss, divisions)
  await makeProducts(boss)
  await makePrices(boss, divisions, (days) => daysBefore(now, days).toISOString().slice(0, 10))
  const locations = await makeLocations(people.operator)
  await makeEventTypes(boss)
  return { people, divisions, locations }
}

/** Keys of programs, and an invitation that nobody has answered yet. */
const makeKeys = async ({
  people,
  clock,
  now,
}: Pick<HistoryDeps, 'people' | 'now'> & { readonly clock: TravelClock }) => {
  clock.travelTo(daysBefore(now, 25))
  const inDays = (days: number): string => new Date(now.getTime() + days * dayMs).toISOString()
  await people.operator('POST /api/v1/auth/api-keys', { name: 'Warehouse scanner', scopes: ['order-management:write'] })
  await people.operator('POST /api/v1/auth/api-keys', {
    name: 'ERP',
    scopes: ['order-management:read', 'events:write'],
  })
  await people.boss('POST /api/v1/auth/api-keys', { name: 'Monitoring', scopes: ['hooks:read'], expires_at: inDays(9) })
  clock.travelTo(daysBefore(now, 1))
  const { id } = await people.boss<Made>('POST /api/v1/users', {
    email: 'new@lodos.example',
    first_name: 'Ece',
    is_staff: true,
  })
  await people.boss(`POST /api/v1/users/${id}/invite/`)
}

interface HistoryDeps {
  readonly database: Database
  readonly chance: Chance
  readonly now: Date
  readonly people: People
  readonly locations: readonly Location[]
  readonly hooks: readonly MadeHook[]
}

/** @returns how many deliveries there are. */
const writeHistory = async ({ database, chance, now, people, locations, hooks }: HistoryDeps): Promise<number> => {
  const stock = makeStockHistory(chance)
  const skus = products.map(({ sku }) => sku)
  const context = { chance, stock, now, locations, skus, staffIds: people.staffIds }
  const packages = playPackages(context)
  const transfers = playTransfers(context)
  const places = locations.flatMap(({ id }) => skus.map((sku) => [id, sku] as const))
  const counted = { at: daysBefore(now, historyDays + 1, 7), actorId: people.ids.operator }
  const installationId = await readInstallationId(database.db)
  const byId = new Map(hooks.map((hook) => [hook.id, hook]))
  const well = ok(50)
  await database.scriptTransaction((run) => makeWeeks(run, now))
  return database.scriptTransaction(async (run) => {
    await writeSince(run, daysBefore(now, historyDays + 10))
    await stock.write(run, places, counted)
    await writeFulfilment(run, packages, transfers)
    const orders = await settleOrders(run, now)
    const events = await writeEvents(run, [
      ...packages.events,
      ...transfers.events,
      ...playLeads(chance, now),
      ...orders,
    ])
    const receivers = {
      behaviourOf: (id: number) => byId.get(id)?.behaviour ?? well,
      offSince: (id: number) => byId.get(id)?.state?.disabledAt,
    }
    const count = await writeDeliveries({ run, chance, now, installationId, receivers }, events)
    for (const { id, state } of hooks) if (state !== undefined) await writeState(run, id, state)
    return count
  })
}
