import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { ApiError } from '#api/api-error.ts'
import { client } from '#api/client.ts'
import type { Schema } from '#api/types.ts'
import { basket } from '../queries.ts'

/** While somebody taps a button again and again, only where they end is sent. */
const restMs = 350

interface Place {
  readonly product: number | string
  readonly division: number
}

/** How many pieces of a product for a division are in the basket. */
export const quantityIn = (held: Schema<'Basket'> | undefined, { product, division }: Place): number =>
  held?.basket_items.find(({ product_remote_id: id }) => id === product)?.divisions.find(({ id }) => id === division)
    ?.quantity ?? 0

/** Outlives the page: whoever types and leaves has said what they want. */
const setInBasket = async ({ product, division }: Place, quantity: number): Promise<Schema<'Basket'>> => {
  const body = { product_remote_id: product, division, quantity }
  const { data } = await client.PUT('/api/v1/basket', { body, keepalive: true })
  // Any other answer was thrown as an error.
  return data as Schema<'Basket'>
}

/** Runs something when a part of the page goes, or the page itself. */
const useWhenLeft = (run: () => void): void => {
  const latest = useRef(run)
  useEffect(() => {
    latest.current = run
  })
  useEffect(() => {
    const go = (): void => latest.current()
    window.addEventListener('pagehide', go)
    return () => {
      window.removeEventListener('pagehide', go)
      go()
    }
  }, [])
}

/**
 * How many pieces of a product for a division are wanted. What is typed shows at once, and is sent when the hand rests; where
 * that fails it stays, to be sent again.
 */
export const useQuantity = (place: Place) => {
  const queries = useQueryClient()
  const { data: held } = useQuery(basket)
  const kept = quantityIn(held, place)
  const [typed, setTyped] = useState<number>()
  const timer = useRef<number>(undefined)
  const { mutate, error, isPending } = useMutation<Schema<'Basket'>, ApiError, number>({
    // One after the other, so that the last answer is the last basket.
    scope: { id: 'basket' },
    mutationFn: (quantity) => setInBasket(place, quantity),
    onSuccess: async (answer, quantity) => {
      await queries.cancelQueries({ queryKey: basket.queryKey })
      queries.setQueryData(basket.queryKey, answer)
      setTyped((now) => (now === quantity ? undefined : now))
    },
  })
  const waiting = useRef<number>(undefined)
  const send = (): void => {
    window.clearTimeout(timer.current)
    if (waiting.current !== undefined) mutate(waiting.current)
    waiting.current = undefined
  }
  useWhenLeft(send)
  const set = (quantity: number): void => {
    setTyped(quantity)
    window.clearTimeout(timer.current)
    waiting.current = quantity
    timer.current = window.setTimeout(send, restMs)
  }
  /** For what one press says in full: were it held back, a later press elsewhere on the page would be sent before it. */
  const setNow = (quantity: number): void => {
    set(quantity)
    send()
  }
  return { quantity: typed ?? kept, kept, set, setNow, error, isPending, isKept: typed === undefined }
}
