import { contentTypes } from '#events/content-types.ts'
import { minuteMs } from '#platform/clock.ts'
import type { Call, Made } from '../api.ts'
import type { Chance } from '../history/chance.ts'
import { daysBefore, type TravelClock } from '../time.ts'
import { products } from './goods.ts'
import type { People } from './people.ts'

/** A cause of errors: where, when and how often it happened, and what became of it. */
interface Cause {
  readonly channel: 'trendyol' | 'hepsi' | 'otto' | 'shopify'
  /** Days ago of the first and the last, and how many on each day. */
  readonly days: readonly [from: number, until: number]
  readonly perDay: number
  readonly code: string
  readonly text: string
  readonly action: number
  readonly target: 'product' | 'channel'
  readonly answer: string
  /** Days ago when somebody said that it was mended. */
  readonly resolvedOn?: number
  readonly assignee?: 'operator' | 'murat' | 'jonas'
  readonly note?: string
  readonly isIgnored?: boolean
}

const { order, productprice, productstock, productimage, batchrequest, cancellationrequest, product } = contentTypes

const causes: readonly Cause[] = [
  {
    channel: 'trendyol',
    days: [26, 0],
    perDay: 3,
    code: 'stock_conflict',
    text: 'StockError: the quantity is below what is reserved',
    action: productstock,
    target: 'product',
    answer: '409 {"error":"Quantity is lower than the reserved stock"}',
    assignee: 'operator',
    note: 'Asked their support, ticket 88120.',
  },
  {
    channel: 'trendyol',
    days: [20, 12],
    perDay: 4,
    code: 'price_too_low',
    text: 'PriceError: the price is more than 60 % below the list price',
    action: productprice,
    target: 'product',
    answer: '422 {"error":"Discount above limit"}',
    resolvedOn: 11,
  },
  {
    channel: 'trendyol',
    days: [9, 1],
    perDay: 2,
    code: 'barcode_exists',
    text: 'ProductIntegrationError: the barcode belongs to another product',
    action: product,
    target: 'product',
    answer: '400 {"error":"Duplicate barcode"}',
  },
  {
    channel: 'hepsi',
    days: [24, 0],
    perDay: 1,
    code: 'timeout',
    text: 'ConnectionError: no answer within 30 seconds',
    action: batchrequest,
    target: 'channel',
    answer: '',
    isIgnored: true,
    note: 'Their nightly maintenance.',
  },
  {
    channel: 'hepsi',
    days: [16, 0],
    perDay: 2,
    code: 'category_missing',
    text: 'ProductIntegrationError: there is no category for garden benches',
    action: product,
    target: 'product',
    answer: '422 {"errors":[{"field":"category"}]}',
    resolvedOn: 8,
    assignee: 'murat',
    note: 'Came back with the new tree of categories.',
  },
  {
    channel: 'hepsi',
    days: [3, 0],
    perDay: 5,
    code: 'image_size',
    text: 'ImageError: the image is larger than 5 MB',
    action: productimage,
    target: 'product',
    answer: '413 Request Entity Too Large',
  },
  {
    channel: 'otto',
    days: [28, 18],
    perDay: 2,
    code: 'attribute_missing',
    text: 'ProductIntegrationError: the attribute "Energieklasse" is missing',
    action: product,
    target: 'product',
    answer: '422 {"errors":[{"field":"energy_label"}]}',
    resolvedOn: 17,
  },
  {
    channel: 'otto',
    days: [6, 0],
    perDay: 2,
    code: 'order_unknown',
    text: 'OrderError: the order was not found at the marketplace',
    action: order,
    target: 'channel',
    answer: '404 {"message":"Order not found"}',
    assignee: 'jonas',
  },
  {
    channel: 'otto',
    days: [13, 2],
    perDay: 1,
    code: 'cancel_late',
    text: 'CancellationError: the parcel has left already',
    action: cancellationrequest,
    target: 'channel',
    answer: '409 {"message":"Shipped"}',
  },
  {
    channel: 'shopify',
    days: [1, 0],
    perDay: 12,
    code: 'unauthorized',
    text: 'AuthenticationError: the token of the shop has expired',
    action: productstock,
    target: 'channel',
    answer: '401 {"errors":"[API] Invalid API key or access token"}',
  },
]

export interface ErrorsContext {
  readonly people: People
  readonly clock: TravelClock
  readonly chance: Chance
  readonly now: Date
}

type Channels = Readonly<Record<Cause['channel'], number>>

const makeChannels = async (boss: Call): Promise<Channels> => {
  const catalog = async (name: string) => (await boss<Made>('POST /api/v1/catalogs/', { name })).id
  const make = async (name: string, of: number) =>
    (await boss<Made>('POST /api/v1/channels/', { name, catalog: of })).id
  const turkey = await catalog('Türkiye')
  const europe = await catalog('Europe')
  return {
    trendyol: await make('Marketplace T', turkey),
    hepsi: await make('Marketplace H', turkey),
    otto: await make('Marketplace O', europe),
    shopify: await make('Own shop', europe),
  }
}

/** Reports of what went wrong in the channels over some weeks, and what people did about it. */
export const makeErrors = async (context: ErrorsContext): Promise<void> => {
  const { people, clock, now } = context
  clock.travelTo(daysBefore(now, 32))
  const channels = await makeChannels(people.boss)
  for (let day = 30; day >= 0; day--) {
    await resolveCauses(context, day)
    for (const hour of [9, 14]) {
      const at =
        day === 0
          ? new Date(now.getTime() - (hour === 9 ? 95 : 20) * minuteMs)
          : daysBefore(now, day, hour, (day * 7) % 50)
      clock.travelTo(at)
      await reportDay(context, channels, { day, at, half: hour === 9 ? 0 : 1 })
    }
  }
  await reportPlaces(context, channels)
  await triage(context)
}

/** Half of what a day brings: all of it at once, as channels do. */
const reportDay = async (
  { people, chance }: ErrorsContext,
  channels: Channels,
  { day, at, half }: { readonly day: number; readonly at: Date; readonly half: number },
): Promise<void> => {
  const current = causes.filter(({ days: [from, until] }) => day <= from && day >= until)
  const happened = current.flatMap((cause) => Array.from({ length: Math.ceil(cause.perDay / 2) }, () => cause))
  const bodies = happened
    .filter(({ perDay }) => perDay > 1 || half === day % 2)
    .map(({ channel, code, text, action, target, answer }, index) => {
      const about = chance.pick(products)
      return {
        channel: channels[channel],
        body: {
          action_content_type: action,
          action_object_id: 1_000 + day * 100 + half * 50 + index,
          obj_modified_date: at.toISOString().slice(0, 19).replace('T', ' '),
          error_code: code,
          error_desc: text,
          target_content_type: target === 'product' ? product : contentTypes.channel,
          target_object_id: target === 'product' ? about.remoteId : channels[channel],
          raw_request: `POST /api/v2/items\n\n${JSON.stringify({ sku: about.sku, price: about.price, quantity: chance.whole(0, 40) })}`,
          raw_response: answer,
        },
      }
    })
  await Promise.all(
    bodies.map(({ channel, body }) => people.operator(`POST /api/v1/channel/${channel}/error_reports/`, body)),
  )
}

/** Cities and townships that nobody has mapped, and some that were mapped since. */
const reportPlaces = async ({ people, clock, now }: ErrorsContext, { trendyol, otto }: Channels): Promise<void> => {
  const { operator } = people
  clock.travelTo(daysBefore(now, 2, 15))
  const report = (channel: number, kind: string, body: object) =>
    operator(`POST /api/v1/channel/${channel}/error_reports/${kind}/`, body)
  await report(trendyol, 'city', { remote_code: 'TR-82', country_id: 1, name: 'Afyon' })
  await report(trendyol, 'city', { remote_code: 'TR-83', country_id: 1, name: 'İçel' })
  await report(otto, 'city', { remote_code: 'DE-FFM', country_id: 2, name: 'Frankfurt a. M.' })
  await report(trendyol, 'township', { remote_code: 'TR-34-KDK', city_id: 34, name: 'Kadıkoy' })
  clock.travelTo(daysBefore(now, 1, 11))
  await operator('POST /api/v1/place_mappings/', {
    channel: trendyol,
    type: 'city',
    remote_code: 'TR-83',
    local_id: 33,
    local_name: 'Mersin',
  })
}

interface Group extends Made {
  readonly code_pattern: string
}
const groupsOf = (call: Call) => call<readonly Group[]>('GET /api/v1/error_report_groups/?limit=100')

/** What was mended on a day. Where it goes on after that, it comes back. */
const resolveCauses = async ({ people, clock, now }: ErrorsContext, day: number): Promise<void> => {
  const mended = causes.filter(({ resolvedOn }) => resolvedOn === day).map(({ code }) => code)
  if (mended.length === 0) return
  clock.travelTo(daysBefore(now, day, 8))
  for (const { id, code_pattern } of await groupsOf(people.operator))
    if (mended.includes(code_pattern)) await people.operator(`POST /api/v1/error_report_groups/${id}/resolve_all/`)
}

/** Who looks after what, and what they wrote down. */
const triage = async ({ people }: ErrorsContext): Promise<void> => {
  for (const { id, code_pattern } of await groupsOf(people.operator)) {
    const cause = causes.find(({ code }) => code === code_pattern)
    if (cause === undefined) continue
    const { assignee, note, isIgnored } = cause
    const changes = {
      ...(assignee !== undefined && { assignee: people.ids[assignee] }),
      ...(note !== undefined && { note }),
      ...(isIgnored === true && { state: 'ignored' }),
    }
    if (Object.keys(changes).length > 0) await people.operator(`PATCH /api/v1/error_report_groups/${id}/`, changes)
  }
}
