import type { Tx } from '#platform/db/database.ts'
import { invalidField, invalidFields, notFound, ruleBroken } from '#platform/errors.ts'
import { maxBasketQuantities } from '../../baskets/index.ts'
import { pricedProducts } from '../../prices/index.ts'
import { productsByRemoteIds } from '../../products/index.ts'
import type { RequestContext } from '../rules/request-context.ts'
import { makeApplyChange } from './change-quotation.ts'
import type { QuotationDeps } from '../dependencies.ts'
import { editedItems, priceOf, readShares, type ItemEdit, type ShareEdit } from './edited-items.ts'
import type { Permissions } from '../rules/permissions.ts'
import { requireRoom } from '../limits/require-room.ts'
import { makeHoldQuotation, type HeldQuotation } from '../rules/hold-quotation.ts'
import { money, type Quotation } from '../quotation.ts'
import {
  deleteDiscount,
  deleteItem,
  insertDiscounts,
  insertItems,
  readTerms,
  savePriced,
} from '../terms/terms-store.ts'
import { newItem, priced, readDiscountValue, type DiscountType, type Terms } from '../terms/terms.ts'

/** A product that is added. */
export interface ProductEdit {
  readonly productRemoteId: string
  readonly price: string | number | undefined
  readonly divisions: readonly ShareEdit[]
}
/** A discount that is given. */
export interface DiscountEdit {
  readonly type: DiscountType
  readonly value: string | number
  /** null: on the whole quotation. */
  readonly itemId: number | null
}

/** Most items, and most discounts, of a quotation that is edited: every edit prices all of them again. */
const maxItems = 10_000
const maxDiscounts = 100

/** Edits of the terms of a draft, priced again after each. @throws AppError 404; 412; 403; 400 with fields or allowed actions. */
export const makeEditQuotation = (deps: QuotationDeps) => {
  const { clock } = deps
  const apply = makeApplyChange(deps)
  const hold = makeHoldQuotation(deps)
  const keep = makeKeep(deps)

  /** Lets `edit` change the terms of a quotation that may be edited, and keeps what comes of it. */
  const editing = async (
    tx: Tx,
    context: RequestContext,
    id: number,
    edit: (quotation: Quotation, terms: Terms, allowed: Allowed) => Promise<Terms>,
  ): Promise<Quotation> => {
    const held = await hold(tx, context, id)
    const { quotation, permissions } = held
    const { allowed } = permissions
    permissions.permit('edit')
    const before = await readTerms(tx, quotation)
    const after = await keep(tx, held, before, await edit(quotation, before, allowed))
    const { totalAmount, netAmount } = after
    return apply(tx, context, quotation, { action: 'edit', set: { totalAmount, netAmount }, terms: { before, after } })
  }

  return {
    addProduct: (tx: Tx, context: RequestContext, id: number, product: ProductEdit): Promise<Quotation> =>
      editing(tx, context, id, async (quotation, terms, allowed) => {
        if (terms.items.length >= maxItems) throw full(maxItems, 'items', allowed)
        return withProduct(tx, { quotation, terms, now: clock.now() }, product)
      }),

    removeItem: (tx: Tx, context: RequestContext, id: number, itemId: number): Promise<Quotation> =>
      editing(tx, context, id, async (_quotation, terms) => {
        if (!terms.items.some((item) => item.id === itemId)) throw notFound()
        await deleteItem(tx, itemId)
        return {
          ...terms,
          items: terms.items.filter((item) => item.id !== itemId),
          discounts: terms.discounts.filter((discount) => discount.itemId !== itemId),
        }
      }),

    addDiscount: (tx: Tx, context: RequestContext, id: number, given: DiscountEdit): Promise<Quotation> =>
      editing(tx, context, id, async (_quotation, terms, allowed) => {
        if (terms.discounts.length >= maxDiscounts) throw full(maxDiscounts, 'discounts', allowed)
        const discount = { ...readDiscount(terms, given), amount: 0n, createdAt: clock.now() }
        requireEnough(terms, { ...discount, id: 0 }, allowed)
        const [discountId = 0] = await insertDiscounts(tx, id, [{ ...discount, createdBy: context.userId }])
        return { ...terms, discounts: [...terms.discounts, { ...discount, id: discountId }] }
      }),

    removeDiscount: (tx: Tx, context: RequestContext, id: number, discountId: number): Promise<Quotation> =>
      editing(tx, context, id, async (_quotation, terms) => {
        if (!terms.discounts.some((discount) => discount.id === discountId)) throw notFound()
        await deleteDiscount(tx, discountId)
        return { ...terms, discounts: terms.discounts.filter((discount) => discount.id !== discountId) }
      }),

    /** Changes prices, quantities and divisions of items of a quotation that is held and may be edited. */
    async changeItems(tx: Tx, held: HeldQuotation, edits: readonly ItemEdit[]) {
      const { quotation } = held
      const before = await readTerms(tx, quotation)
      const items = await editedItems(tx, quotation, before, edits)
      return { before, after: await keep(tx, held, before, { ...before, items }) }
    },
  }
}

type Allowed = Permissions['allowed']

/** Makes what prices and keeps edited terms. They have no more quantities than a basket, so that a quotation can become one again. */
const makeKeep =
  ({ clock }: Pick<QuotationDeps, 'clock'>) =>
  async (tx: Tx, { quotation, permissions }: HeldQuotation, before: Terms, edited: Terms): Promise<Terms> => {
    const { allowed } = permissions
    const after = priced(edited, allowed)
    const { netAmount } = after
    const count = quantitiesIn(after)
    if (count > maxBasketQuantities && count > quantitiesIn(before))
      throw full(maxBasketQuantities, 'products for a division', allowed)
    // What makes it no dearer is allowed also where a limit was lowered since.
    if (netAmount > before.netAmount) await requireRoom(tx, { ...quotation, netAmount }, { now: clock.now(), allowed })
    await savePriced(tx, after)
    return after
  }

const quantitiesIn = ({ items }: Terms): number => items.reduce((sum, { divisions }) => sum + divisions.length, 0)

const full = (max: number, what: string, allowed: Allowed) =>
  ruleBroken('quotation_full', `A quotation has at most ${max.toLocaleString('en')} ${what}.`, allowed)

interface Edited {
  readonly quotation: Quotation
  readonly terms: Terms
  readonly now: Date
}

/** Adds a product at the price that the division of the owner has for it now. */
const withProduct = async (tx: Tx, { quotation, terms, now }: Edited, given: ProductEdit): Promise<Terms> => {
  const { product, price, divisions } = await readProduct(tx, { quotation, now }, given)
  if (terms.items.some(({ productId }) => productId === product.id)) {
    throw invalidField('product_remote_id', 'It is in the quotation already: change its quantity.')
  }
  const item = { ...newItem(product, divisions), priceOverride: price }
  const [id = 0] = await insertItems(tx, quotation.id, [item])
  return { ...terms, items: [...terms.items, { ...item, id }] }
}

/** @throws AppError 400 naming each field that is wrong. */
const readProduct = async (tx: Tx, { quotation, now }: Omit<Edited, 'terms'>, given: ProductEdit) => {
  const { currency } = quotation
  const product = await soldProduct(tx, { quotation, now }, given.productRemoteId)
  const divisions = await readShares(tx, quotation, given.divisions)
  const price = given.price === undefined ? null : priceOf(given.price, currency)
  if (product !== undefined && 'shares' in divisions && price !== undefined) {
    return { product, price, divisions: divisions.shares }
  }
  throw invalidFields({
    ...(product === undefined ? { product_remote_id: [`There is no such product that is sold in ${currency}.`] } : {}),
    ...('problems' in divisions ? divisions.problems : {}),
    ...(price === undefined ? { price: [notAPrice] } : {}),
  })
}

/** The product, if it is sold in the currency of the quotation. */
const soldProduct = async (tx: Tx, { quotation, now }: Omit<Edited, 'terms'>, remoteId: string) => {
  const { currency, divisionId } = quotation
  const named = (await productsByRemoteIds(tx, [remoteId])).get(remoteId)
  if (named === undefined) return undefined
  const product = (await pricedProducts(tx, [named.id], { divisionId, at: now })).get(named.id)
  return product?.isActive === true && product.currency === currency ? product : undefined
}

const notAPrice = 'Expected an amount of 0 or more, with at most the decimals of the currency.'

const readDiscount = ({ items, currency }: Terms, { type, value: given, itemId }: DiscountEdit) => {
  const read = readDiscountValue(type, given, currency)
  const isThere = itemId === null || items.some(({ id }) => id === itemId)
  if ('value' in read && isThere) return { type, value: read.value, itemId }
  throw invalidFields({
    ...('problem' in read ? { value: [read.problem] } : {}),
    ...(isThere ? {} : { item: ['There is no such item in the quotation.'] }),
  })
}

/** @throws AppError 400 when a fixed amount is more than there is to take it from. Terms that change later only cap it. */
const requireEnough = (terms: Terms, discount: Terms['discounts'][number], allowed: Allowed): void => {
  if (discount.type !== 'fixed') return
  const { discounts, currency } = priced({ ...terms, discounts: [...terms.discounts, discount] }, allowed)
  const amount = discounts.at(-1)?.amount ?? 0n
  if (amount < discount.value) throw invalidField('value', `There is only ${money(amount, currency)} to take it from.`)
}
