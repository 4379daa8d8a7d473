import type { Tx } from '#platform/db/database.ts'
import { invalidField } from '#platform/errors.ts'
import { findLocation } from '../stock-locations/index.ts'
import { insufficientStock, moveStock, type Cause, type Movement, type MovementKind } from '../stock/index.ts'
import type { DocumentItem } from './store.ts'

type Place = Movement['location'] | undefined

interface StockSituation {
  readonly items: readonly DocumentItem[]
  /** Where the goods are, or were. */
  readonly from: Place
  /** Where they are promised or taken in. */
  readonly to: Place
  /** Whether they have left with a sale. */
  readonly isSold?: boolean
  readonly disposition: string | undefined
}

const writeOff = ({ from, disposition }: StockSituation): readonly Step[] =>
  disposition === 'write_off' ? [['write_off', from]] : []

type Step = readonly [MovementKind, Place]

const steps = {
  keep: () => [],
  allocate: ({ to }) => [['allocate', to]],
  reallocate: ({ from, to }) => [
    ['release', from],
    ['allocate', to],
  ],
  release: ({ from }) => [['release', from]],
  sell: ({ from }) => [['sale', from]],
  // Packed for refund before it was shipped: the goods never left, so they are released, not restocked.
  settle: (situation) => [[situation.isSold === true ? 'restock' : 'release', situation.from], ...writeOff(situation)],
  send: ({ from }) => [['transfer_out', from]],
  arrive: ({ to }) => [['transfer_in', to]],
  recall: (situation) => [['restock', situation.from], ...writeOff(situation)],
} as const satisfies Record<string, (situation: StockSituation) => readonly Step[]>

/** What a move does to the stock of a document's items. */
export type StockStep = keyof typeof steps

/** The stock movements of one move, for each of the items. */
export const stepMovements = (step: StockStep, situation: StockSituation): Movement[] =>
  steps[step](situation).flatMap(([kind, location]) => {
    if (location === undefined) throw new Error(`Nothing can ${kind} stock without a location.`)
    return situation.items.map(({ sku, quantity }) => ({ location, sku, kind, quantity }))
  })

/**
 * Books what a move does to the stock of a document's items.
 * @param allowedActions what the error of a shortage says can be done instead. @throws AppError 400 for a shortage.
 */
export const bookStep = async (
  tx: Tx,
  step: StockStep,
  situation: StockSituation,
  { allowedActions, ...why }: Cause & { readonly allowedActions: readonly string[] },
): Promise<void> => {
  const movements = stepMovements(step, situation)
  const last = movements.at(-1)
  if (last === undefined) return
  const moved = await moveStock(tx, movements, why)
  if (moved.ok) return
  // Stock is taken by the last of the kinds of movements that a step has.
  const location = await findLocation(tx, last.location.id)
  throw insufficientStock(location?.code ?? '', moved.shortages, allowedActions)
}

/** A location of work that is there already: back-orders only matter where stock is allocated. */
export const placeOf = (id: number): Movement['location'] => ({ id, allowBackorder: false })

/** @throws AppError 400 for a disposition that is missing where goods are to be decided about, or sent where none are. */
export const refuseDisposition = (
  needs: string | undefined,
  disposition: string | undefined,
  says: { readonly missing: string; readonly needless: string },
): void => {
  const isNeeded = needs === 'disposition'
  if (isNeeded === (disposition !== undefined)) return
  throw invalidField('disposition', isNeeded ? says.missing : says.needless)
}
