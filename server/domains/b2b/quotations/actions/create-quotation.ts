import type { Tx } from '#platform/db/database.ts'
import { ruleBroken } from '#platform/errors.ts'
import { digitsOf, parseMoney } from '#platform/money.ts'
import { takeBasket, type BasketLine } from '../../baskets/index.ts'
import { holdRoot, orderableDivisions } from '../../divisions/index.ts'
import { pricedProducts, type PricedFor } from '../../prices/index.ts'
import { readSettings, type Settings } from '../../settings/index.ts'
import type { RequestContext } from '../rules/request-context.ts'
import type { QuotationDeps } from '../dependencies.ts'
import { expiryFrom, makePlaceQuotation } from './place-quotation.ts'
import { money, type Quotation } from '../quotation.ts'
import { newItem, priced, type Terms } from '../terms/terms.ts'
import type { QuotationStatus } from '#events/quotations.ts'

/** A request of somebody who orders for a division. */
interface OrderingContext extends RequestContext {
  readonly divisionId: number
}

/** Makes a quotation of the basket, at the prices of this moment, and empties the basket. @throws AppError 400; the basket stays. */
export const makeCreateQuotation = (deps: QuotationDeps) => {
  const place = makePlaceQuotation(deps)
  return async (tx: Tx, context: OrderingContext, name: string): Promise<Quotation> => {
    const settings = await readSettings(tx)
    const lines = await takeBasket(tx, context.userId)
    if (lines.length === 0) throw ruleBroken('basket_empty', 'There is nothing in the basket.')
    await requireOrderable(tx, context.divisionId, lines)
    const now = deps.clock.now()
    const terms = await termsOf(tx, lines, { divisionId: context.divisionId, at: now })
    requireMinimum(terms, settings)
    const root = await holdRoot(tx, context.divisionId)
    return place(tx, context, {
      now,
      terms,
      fields: {
        name,
        userId: context.userId,
        divisionId: context.divisionId,
        rootDivisionId: root,
        status: firstStatus(root === context.divisionId, settings),
        expiresAt: expiryFrom(now, settings.QUOTATION_VALID_DAYS),
        // Whoever asks for something agrees to its price.
        consentedRevision: 1,
      },
    })
  }
}

const firstStatus = (isMain: boolean, settings: Settings): QuotationStatus =>
  !isMain && settings.IS_SUB_DIVISION_QUOTATION_APPROVAL_REQUIRED ? 'request_approval' : 'pending'

/** Divisions may have been switched off, or moved away, since they were put into the basket. */
const requireOrderable = async (tx: Tx, divisionId: number, lines: readonly BasketLine[]): Promise<void> => {
  const orderable = new Set((await orderableDivisions(tx, divisionId)).map(({ id }) => id))
  const wanted = new Set(lines.flatMap(({ divisions }) => divisions.map(({ id }) => id)))
  const others = [...wanted].filter((id) => !orderable.has(id))
  if (others.length === 0) return
  throw ruleBroken('division_inactive', `You cannot order for these divisions any more: ${someOf(others)}.`)
}

const termsOf = async (tx: Tx, lines: readonly BasketLine[], buyer: PricedFor): Promise<Terms> => {
  const ids = lines.map(({ productId }) => productId)
  const products = await pricedProducts(tx, ids, buyer)
  const found = lines.flatMap((line) => {
    const product = products.get(line.productId)
    return product === undefined ? [] : [{ ...line, product }]
  })
  const inactive = found.filter(({ product }) => !product.isActive).map(({ product }) => product.remoteId)
  if (inactive.length > 0) {
    throw ruleBroken('product_inactive', `These products are not sold any more: ${someOf(inactive)}.`)
  }
  const [currency = '', ...others] = new Set(found.map(({ product }) => product.currency))
  if (others.length > 0) {
    const currencies = [currency, ...others].join(', ')
    throw ruleBroken('mixed_currencies', `A quotation has one currency, and these are sold in ${currencies}.`)
  }
  const items = found.map(({ product, divisions }, id) => ({ ...newItem(product, divisions), id }))
  return priced({ currency, items, discounts: [] })
}

/** Decimals of the setting; amounts of every currency are compared with it. */
const minimumDigits = 2

const requireMinimum = ({ totalAmount, currency }: Terms, settings: Settings): void => {
  const minimum = parseMoney(settings.QUOTATION_MINIMUM_AMOUNT, minimumDigits) ?? 0n
  const scale = 10n ** BigInt(digitsOf(currency) ?? minimumDigits)
  if (totalAmount * 10n ** BigInt(minimumDigits) >= minimum * scale) return
  const least = settings.QUOTATION_MINIMUM_AMOUNT
  throw ruleBroken(
    'under_minimum',
    `A quotation comes to at least ${least} ${currency}; this one is ${money(totalAmount, currency)}.`,
  )
}

const maxNamed = 5
const someOf = (ids: readonly (string | number)[]): string =>
  ids.slice(0, maxNamed).join(', ') + (ids.length > maxNamed ? ` and ${ids.length - maxNamed} more` : '')
