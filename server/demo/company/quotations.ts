import { dayMs, hourMs } from '#platform/clock.ts'
import type { Call, Made } from '../api.ts'
import type { Chance } from '../history/chance.ts'
import { daysBefore, type TravelClock } from '../time.ts'
import { products } from './goods.ts'
import type { Divisions, People } from './people.ts'

/** Where a quotation has come, or how it ended. */
type End =
  | 'request_approval'
  | 'pending'
  | 'draft'
  | 'sending_approval_request'
  | 'approved'
  | 'rejected'
  | 'rejected by main'
  | 'cancelled'
  | 'expired'

/** How many of each, and how many days ago they were asked for. */
const plan: readonly (readonly [end: End, count: number, from: number, until: number])[] = [
  ['approved', 12, 38, 3],
  ['pending', 6, 9, 0.2],
  ['request_approval', 4, 6, 0.1],
  ['draft', 4, 12, 2],
  ['sending_approval_request', 4, 12, 2],
  ['rejected', 3, 28, 6],
  ['rejected by main', 2, 20, 6],
  ['cancelled', 3, 26, 5],
  ['expired', 2, 38, 33],
]

const names = [
  'Autumn order',
  'Showroom renewal',
  'Office chairs',
  'Café terrace',
  'Window displays',
  'Hotel rooms 2nd floor',
  'Stock for November',
  'Lamps for the entrance',
  'Outlet corner',
  'Wedding season',
  'Refill of bestsellers',
  'Student flats',
] as const
const questions = [
  'Can you deliver to the back door before 10?',
  'We need the chairs two weeks earlier, is that possible?',
  'Is the walnut the same as last year?',
  'Our customer pays within 30 days.',
  'Could you offer a better price from 20 pieces on?',
] as const
const replies = [
  'Delivery before 10 is fine.',
  'Gebze has them; they leave within three days.',
  'Yes, from the same mill.',
  'I have asked for a discount, please give me a day.',
  'From 20 pieces on we can give 5 %.',
] as const
const notes = [
  'Good customer, stay below 12 %.',
  'Check the stock of oak in Torbalı first.',
  'Called them, they decide on Monday.',
] as const

export interface QuotationsContext {
  readonly people: People
  readonly divisions: Divisions
  readonly clock: TravelClock
  readonly chance: Chance
  readonly now: Date
}

interface Asker {
  readonly call: Call
  readonly division: number
  /** Who has to let it pass first; undefined for somebody of a main division. */
  readonly main?: Call
  readonly most: number
}

const askersOf = ({ people, divisions }: QuotationsContext): readonly Asker[] => [
  { call: people.branchBuyer, division: divisions.kadikoy, main: people.mainBuyer, most: 7 },
  { call: people.selin, division: divisions.ankara, main: people.mainBuyer, most: 20 },
  { call: people.emre, division: divisions.izmir, main: people.mainBuyer, most: 20 },
  { call: people.lukas, division: divisions.altona, main: people.anna, most: 25 },
  { call: people.mainBuyer, division: divisions.ankara, most: 40 },
  { call: people.anna, division: divisions.altona, most: 40 },
]

/** Makes quotations in every state, with what people said and agreed on meanwhile. */
export const makeQuotations = async (context: QuotationsContext): Promise<void> => {
  const { chance, now } = context
  const begun = plan.flatMap(([end, count, from, until]) =>
    Array.from({ length: count }, (_, index) => ({
      end,
      at: new Date(now.getTime() - (from - ((from - until) * (index + 0.5)) / count) * dayMs),
    })),
  )
  const askers = askersOf(context)
  for (const { end, at } of begun.toSorted((one, other) => one.at.getTime() - other.at.getTime())) {
    const needsMain = end === 'request_approval' || end === 'rejected by main'
    const asker = chance.pick(askers.filter(({ main }) => !needsMain || main !== undefined))
    await makeQuotation(context, asker, { end, at })
  }
  await makeBaskets(context)
}

/** A time after which things go on, as long as that is not later than now. */
const makeLater = ({ clock, now, chance }: QuotationsContext, begins: Date) => {
  let at = begins
  return (low: number, high: number): void => {
    at = new Date(Math.min(at.getTime() + chance.between(low, high) * hourMs, (at.getTime() + now.getTime()) / 2))
    clock.travelTo(at)
  }
}

const makeQuotation = async (
  context: QuotationsContext,
  { call: owner, division, main, most }: Asker,
  { end, at }: { readonly end: End; readonly at: Date },
): Promise<void> => {
  const { people, chance, clock } = context
  const later = makeLater(context, at)
  clock.travelTo(at)
  await fillBasket(owner, division, { chance, most })
  const { id } = await owner<Made>('POST /api/v1/my-quotations/', { name: chance.pick(names) })
  const mine = `/api/v1/my-quotations/${id}`
  const quotation = `/api/v1/quotations/${id}`
  later(1, 4)
  if (chance.isOneOf(0.7)) await owner(`POST ${mine}/comments/`, { text: chance.pick(questions) })
  if (end === 'request_approval') return
  if (end === 'rejected by main') {
    await main?.(`POST ${mine}/reject/`, { reason: 'Not in the budget of this quarter.' })
    return
  }
  await main?.(`POST ${mine}/approve-pending-request/`)
  if (end === 'expired' || (end === 'pending' && chance.isOneOf(0.4))) return
  later(2, 9)
  await answer(context, quotation)
  if (end === 'pending') return
  later(2, 12)
  await makeOffer(people.boss, quotation, chance)
  if (end === 'draft') return
  later(1, 3)
  await people.boss(`POST ${quotation}/send-approval-request/`)
  if (end === 'sending_approval_request') return
  later(5, 40)
  await decide(context, owner, { end, mine, quotation })
}

/** The seller takes it on, and writes back. */
const answer = async ({ people, chance }: QuotationsContext, quotation: string): Promise<void> => {
  const assignee = { id: chance.pick([people.ids.operator, people.ids.murat]) }
  await people.operator(`PATCH ${quotation}/`, { assignee })
  await people.operator(`POST ${quotation}/comments/`, { text: chance.pick(replies) })
  if (chance.isOneOf(0.4))
    await people.murat(`POST ${quotation}/comments/`, { text: chance.pick(notes), internal: true })
}

const fillBasket = async (
  owner: Call,
  division: number,
  { chance, most }: { readonly chance: Chance; readonly most: number },
): Promise<void> => {
  const picked = new Set(Array.from({ length: chance.whole(1, 5) }, () => chance.pick(products, 1.4)))
  const rows = [...picked].map(({ sku }) => `${sku},${division},${chance.whole(2, most)}`)
  await owner('POST /api/v1/basket/import/', ['sku,division,quantity', ...rows].join('\n'), 'text/csv')
}

interface Offered {
  readonly items: readonly { readonly id: number; readonly price: string }[]
}

/** The seller makes a draft of it, and changes the terms. */
const makeOffer = async (boss: Call, quotation: string, chance: Chance): Promise<void> => {
  await boss(`POST ${quotation}/set-as-draft/`)
  const { items } = await boss<Offered>(`GET ${quotation}/`)
  const [first] = items
  if (first !== undefined && chance.isOneOf(0.5)) {
    const price = (Number(first.price) * 0.95).toFixed(2)
    await boss(`PATCH ${quotation}/`, { items: [{ id: first.id, price }] })
  }
  if (first !== undefined && chance.isOneOf(0.3))
    await boss(`POST ${quotation}/discounts/`, { discount_type: 'fixed', value: '15.00', item: first.id })
  if (chance.isOneOf(0.7))
    await boss(`POST ${quotation}/discounts/`, { discount_type: 'percentage', value: String(chance.whole(2, 8)) })
}

const decide = async (
  { people, chance }: QuotationsContext,
  owner: Call,
  { end, mine, quotation }: { readonly end: End; readonly mine: string; readonly quotation: string },
): Promise<void> => {
  switch (end) {
    case 'approved':
      // Some ask for better terms first, and get a second revision.
      if (chance.isOneOf(0.3)) {
        await owner(`POST ${mine}/comments/`, { text: 'One per cent more and we have a deal.' })
        await people.boss(`POST ${quotation}/set-as-draft/`)
        await people.boss(`POST ${quotation}/discounts/`, { discount_type: 'percentage', value: '1' })
        await people.boss(`POST ${quotation}/send-approval-request/`)
      }
      await owner(`POST ${mine}/approve/`)
      return
    case 'cancelled':
      await owner(`POST ${mine}/cancel/`, { reason: 'The customer has changed their mind.' })
      return
    case 'rejected':
      await (chance.isOneOf(0.5)
        ? owner(`POST ${mine}/reject/`, { reason: 'Too expensive for us.' })
        : people.boss(`POST ${quotation}/reject/`, { reason: 'We cannot deliver that before spring.' }))
      return
    default:
      throw new Error(`Nobody decides on a quotation that is ${end}.`)
  }
}

/** What buyers have in their baskets now, and what they put aside. */
const makeBaskets = async (context: QuotationsContext): Promise<void> => {
  const { people, divisions, clock, chance, now } = context
  clock.travelTo(daysBefore(now, 4, 16))
  await fillBasket(people.branchBuyer, divisions.kadikoy, { chance, most: 4 })
  await people.branchBuyer('POST /api/v1/basket/save/', { name: 'Spring window' })
  await fillBasket(people.mainBuyer, divisions.izmir, { chance, most: 10 })
  await people.mainBuyer('POST /api/v1/basket/save/', { name: 'Bornova reopening' })
  clock.travelTo(daysBefore(now, 1, 11))
  await fillBasket(people.branchBuyer, divisions.kadikoy, { chance, most: 4 })
  await fillBasket(people.mainBuyer, divisions.ankara, { chance, most: 10 })
}
