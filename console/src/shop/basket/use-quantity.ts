import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { ApiError } from '#api/api-error.ts'
import { call } from '#api/queries.ts'
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
    mutationFn: (quantity) =>
      call('put', '/api/v1/basket', {
        body: { product_remote_id: place.product, division: place.division, quantity },
      }),
    onSuccess: async (answer, quantity) => {
      await queries.cancelQueries({ queryKey: basket.queryKey })
      queries.setQueryData(basket.queryKey, answer)
      setTyped((now) => (now === quantity ? undefined : now))
    },
  })
  // What rests when the page is left is sent then.
  const waiting = useRef<number>(undefined)
  const send = useRef(mutate)
  useEffect(() => {
    send.current = mutate
  })
  useEffect(
    () => () => {
      window.clearTimeout(timer.current)
      if (waiting.current !== undefined) send.current(waiting.current)
    },
    [],
  )
  const set = (quantity: number): void => {
    setTyped(quantity)
    window.clearTimeout(timer.current)
    waiting.current = quantity
    timer.current = window.setTimeout(() => {
      waiting.current = undefined
      send.current(quantity)
    }, restMs)
  }
  return { quantity: typed ?? kept, kept, set, error, isPending, isKept: typed === undefined }
}
