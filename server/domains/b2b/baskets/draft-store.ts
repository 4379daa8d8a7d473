import { sql, type NotNull } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import type { Page, Rows } from '#platform/lists/page.ts'
import { readList } from '#platform/lists/read-list.ts'
import { bestPrices, type PricedFor } from '../prices/index.ts'
import type { Draft, BasketLine } from './basket.ts'
import { draftList } from './schemas.ts'

/** The basket becomes a draft, and its user has none. The caller holds it. */
export const nameBasket = async (tx: Tx, id: number, name: string, now: Date): Promise<void> => {
  await tx.updateTable('baskets').set({ name, savedAt: now }).where('id', '=', id).execute()
}

/** Keeps a draft from being removed until the transaction ends. @returns false when the user has none of that id. */
export const holdDraft = async (tx: Tx, userId: number, id: number): Promise<boolean> => {
  const draft = await drafts(tx, userId).select('id').where('id', '=', id).forKeyShare().executeTakeFirst()
  return draft !== undefined
}

/** Those of another name. Whoever holds the basket of the user can rely on it: all that is put aside was that before. */
export const countOtherDrafts = async (tx: Tx, userId: number, name: string): Promise<number> => {
  const others = drafts(tx, userId).where('name', '!=', name)
  return (await others.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()).count
}

export const removeDraftsCalled = async (tx: Tx, userId: number, name: string): Promise<void> => {
  await tx.deleteFrom('baskets').where('userId', '=', userId).where('name', '=', name).execute()
}

/** @returns false when the user has none of that id. */
export const removeDraft = async (tx: Tx, userId: number, id: number): Promise<boolean> => {
  const mine = tx.deleteFrom('baskets').where('userId', '=', userId).where('name', 'is not', null)
  return (await mine.where('id', '=', id).executeTakeFirstOrThrow()).numDeletedRows > 0n
}

/** Puts what is in one basket into another one, which is empty, in the same order. */
export const copyItems = async (tx: Tx, from: number, to: number): Promise<void> => {
  await tx
    .insertInto('basketItems')
    .columns(['basketId', 'productId', 'divisionId', 'quantity'])
    .expression((eb) =>
      eb
        .selectFrom('basketItems')
        .select([sql<number>`${to}::bigint`.as('basketId'), 'productId', 'divisionId', 'quantity'])
        .where('basketId', '=', from)
        .orderBy('id'),
    )
    .execute()
}

/** Puts lines into a basket, which is empty, in their order. */
export const putItems = async (tx: Tx, basketId: number, lines: readonly BasketLine[]): Promise<void> => {
  const quantities = lines.flatMap(({ productId, divisions }) =>
    divisions.map((division) => ({ productId, ...division })),
  )
  await sql`
    insert into basket_items (basket_id, product_id, division_id, quantity)
    select ${basketId}::bigint, product_id, division_id, quantity from rows from (unnest(
      ${quantities.map(({ productId }) => productId)}::bigint[], ${quantities.map(({ id }) => id)}::bigint[],
      ${quantities.map(({ quantity }) => quantity)}::int[])) with ordinality as line (product_id, division_id, quantity, position)
    order by position`.execute(tx)
}

/** One page of what a user has put aside, the newest first. */
export const listDrafts = async (
  db: Db,
  owner: PricedFor & { readonly userId: number },
  page: Page,
): Promise<Rows<Draft>> => {
  const mine = drafts(db, owner.userId).select(['id', 'name', 'savedAt'])
  const found = await readList(db, draftList, page, mine.$narrowType<{ name: NotNull; savedAt: NotNull }>())
  const sums = await sumsOf(
    db,
    found.rows.map(({ id }) => id),
    owner,
  )
  return { ...found, rows: found.rows.map((draft) => ({ ...draft, sums: sums.get(draft.id) ?? [] })) }
}

const drafts = (db: Db | Tx, userId: number) =>
  db.selectFrom('baskets').where('userId', '=', userId).where('name', 'is not', null)

/** By currency, that of the first item first. Amounts may be larger than an integer of the database. */
const sumsOf = async (
  db: Db,
  ids: readonly number[],
  buyer: PricedFor,
): Promise<Map<number, Draft['sums'][number][]>> => {
  const sums = new Map<number, Draft['sums'][number][]>()
  if (ids.length === 0) return sums
  const wanted = sql`select product_id from basket_items where basket_id = any(${ids}::bigint[])`
  const rows = await db
    .selectFrom('basketItems')
    .innerJoin('products', 'products.id', 'basketItems.productId')
    .leftJoin(bestPrices(wanted, buyer).as('best'), 'best.bestProduct', 'basketItems.productId')
    .select([
      'basketItems.basketId',
      'products.currency',
      sql<string>`sum(coalesce(best.best_price, products.price)::numeric * basket_items.quantity)::text`.as('amount'),
      sql<string>`sum(basket_items.quantity)::text`.as('quantity'),
    ])
    .where('basketItems.basketId', 'in', ids)
    .groupBy(['basketItems.basketId', 'products.currency'])
    .orderBy((eb) => eb.fn.min('basketItems.id'))
    .execute()
  for (const { basketId, currency, amount, quantity } of rows) {
    const sum = { currency, amount: BigInt(amount), quantity: Number(quantity) }
    sums.set(basketId, [...(sums.get(basketId) ?? []), sum])
  }
  return sums
}
