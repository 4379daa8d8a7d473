import type { Tx } from '#platform/db/database.ts'
import { invalidField, notFound, ruleBroken } from '#platform/errors.ts'
import type { Basket } from './basket.ts'
import type { Buyer } from './buyer.ts'
import { copyItems, countOtherDrafts, holdDraft, nameBasket, removeDraftsCalled } from './draft-store.ts'
import { holdBasket } from './whole-basket.ts'
import { hasItems, readBasket, removeAll } from './store.ts'

/** Most baskets that a user puts aside. */
const maxDrafts = 50

/** Puts the basket aside under a name, replacing the draft of that name. @returns the new, empty basket. @throws AppError 400. */
export const saveBasket = async (tx: Tx, userId: number, name: string, now: Date): Promise<Basket> => {
  if (name.trim() === '') throw invalidField('name', 'This field may not be blank.')
  const id = await holdBasket(tx, userId)
  if (!(await hasItems(tx, id))) throw ruleBroken('basket_empty', 'There is nothing in the basket.')
  if ((await countOtherDrafts(tx, userId, name)) >= maxDrafts) {
    const message = `You have put ${maxDrafts} baskets aside, which is all there can be. Remove one, or save under the name of one to replace it.`
    throw ruleBroken('too_many_drafts', message)
  }
  await removeDraftsCalled(tx, userId, name)
  await nameBasket(tx, id, name, now)
  return { id: await holdBasket(tx, userId), quantities: [] }
}

/** Replaces the basket with a draft, which stays; inactive products and divisions come too. @throws AppError 404. */
export const loadBasket = async (tx: Tx, buyer: Buyer, draftId: number): Promise<Basket> => {
  const { userId } = buyer
  const id = await holdBasket(tx, userId)
  if (!(await holdDraft(tx, userId, draftId))) throw notFound()
  await removeAll(tx, id)
  await copyItems(tx, draftId, id)
  return readBasket(tx, id, buyer)
}
