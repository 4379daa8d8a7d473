import { formatMoney } from '#platform/money.ts'
import { call } from '#api/queries.ts'
import type { Body } from '#api/types.ts'
import type { Quotation } from '../quotation.ts'
import { isGone, linesWith, type Edits } from './edits.ts'
import { isNew, percentDigits, type Discount, type Line, type Terms } from './terms.ts'

/** One request of a save. */
export interface SaveStep {
  /** @param ifMatch the version that it is about @throws ApiError */
  readonly send: (id: number, ifMatch: string, now: Terms) => Promise<Quotation>
  /** The discount that it gives, which is none of the edits then. */
  readonly given?: string
}

/** The API takes so many items at once. */
const itemsAtOnce = 1_000
const quotation = '/api/v1/quotations/{id}'

/** The requests that save edits, each about the version that the one before it made. */
export const saveSteps = (terms: Terms, edits: Edits): readonly SaveStep[] => {
  const { digits } = terms
  const lines = linesWith(terms, edits)
  const touched = lines.filter(({ key }) => edits.lines.has(key) || isNew(key))
  const gone = touched.filter((line) => isGone(line) && !isNew(line.key))
  const left = new Set(lines.filter((line) => !isGone(line)).map(({ key }) => key))
  const changed = touched.filter(({ key }) => !isNew(key) && left.has(key))
  const patches = chunks(
    changed.map((line) => patchOf(line, edits, digits)),
    itemsAtOnce,
  )
  return [
    ...gone.map(({ key }) => removal(key)),
    ...patches.map((items) => ({
      send: (id: number, ifMatch: string) => call('patch', quotation, { path: { id }, ifMatch, body: { items } }),
    })),
    ...touched.filter(({ key }) => isNew(key) && left.has(key)).map((line) => addition(line, edits, digits)),
    ...[...edits.takenBack].filter((key) => isOfLeft(terms, key, left)).map(takingBack),
    ...edits.given.filter(({ line }) => line === null || left.has(line)).map((one) => giving(one, digits)),
  ]
}

/** Discounts of a line that is removed go with it. */
const isOfLeft = ({ discounts }: Terms, key: string, left: ReadonlySet<string>): boolean => {
  const line = discounts.find((one) => one.key === key)?.line ?? null
  return line === null || left.has(line)
}

const chunks = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.slice(index * size, (index + 1) * size))

type ItemPatch = NonNullable<NonNullable<Body<'patch', typeof quotation>>['items']>[number]

const patchOf = ({ key, price, shares }: Line, { lines }: Edits, digits: number): ItemPatch => {
  const edit = lines.get(key)
  return {
    id: Number(key),
    ...(edit?.price !== undefined && { price: formatMoney(price, digits) }),
    ...(edit?.quantities !== undefined && { divisions: shares.map((share) => ({ ...share })) }),
  }
}

const removal = (key: string): SaveStep => ({
  send: (id, ifMatch) =>
    call('delete', `${quotation}/products/{item_id}`, { path: { id, item_id: Number(key) }, ifMatch }),
})

const addition = ({ key, remoteId, price, shares }: Line, { lines }: Edits, digits: number): SaveStep => ({
  send: (id, ifMatch) =>
    call('post', `${quotation}/products`, {
      path: { id },
      ifMatch,
      body: {
        product_remote_id: remoteId,
        divisions: shares.map((share) => ({ ...share })),
        // Without one the division of the buyer pays what it always does.
        ...(lines.get(key)?.price !== undefined && { price: formatMoney(price, digits) }),
      },
    }),
})

const takingBack = (key: string): SaveStep => ({
  send: (id, ifMatch) =>
    call('delete', `${quotation}/discounts/{discount_id}`, { path: { id, discount_id: Number(key) }, ifMatch }),
})

const giving = ({ key, line, type, value }: Discount, digits: number): SaveStep => ({
  given: key,
  send: (id, ifMatch, now) =>
    call('post', `${quotation}/discounts`, {
      path: { id },
      ifMatch,
      body: {
        discount_type: type,
        value: formatMoney(value, type === 'fixed' ? digits : percentDigits),
        item: line === null ? null : itemOf(now, line),
      },
    }),
})

/** A line that was new has an id by now. */
const itemOf = ({ lines }: Terms, key: string): number | null =>
  Number(isNew(key) ? lines.find(({ remoteId }) => `new:${remoteId}` === key)?.key : key)
