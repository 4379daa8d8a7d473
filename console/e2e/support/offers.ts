import { otherBuyers, superuser } from '../../../server/demo/logins.ts'
import { logInToApi, type ApiCall } from './api.ts'

/** Who has a part in a quotation of the branch in Hamburg: they speak English. */
export interface Parties {
  readonly branch: ApiCall
  readonly main: ApiCall
  readonly seller: ApiCall
}

export const logInParties = async (origin: string): Promise<Parties> => ({
  branch: await logInToApi(origin, otherBuyers.lukas),
  main: await logInToApi(origin, otherBuyers.anna),
  seller: await logInToApi(origin, superuser),
})

interface Made {
  readonly id: number
  readonly items: readonly { readonly id: number }[]
}

const products = [10_000, 10_100, 10_800] as const

/** Asks for three products, as a branch. @returns the id of the quotation */
export const ask = async ({ branch }: Parties, name: string): Promise<number> => {
  const { results } = await branch<{ results: readonly [{ id: number }] }>('GET /api/v1/my-divisions/')
  const { basket_items: items } = await branch<{ basket_items: readonly { product_remote_id: number }[] }>(
    'GET /api/v1/basket/',
  )
  for (const { product_remote_id } of items) await branch('DELETE /api/v1/basket/', { product_remote_id })
  for (const product_remote_id of products)
    await branch('POST /api/v1/basket/', { product_remote_id, division: results[0].id, quantity: 4 })
  return (await branch<Made>('POST /api/v1/my-quotations/', { name })).id
}

/** The seller changes the price of the first product, and sends the offer. */
export const offer = async ({ seller }: Parties, id: number, price: string): Promise<void> => {
  const quotation = `/api/v1/quotations/${id}`
  await seller(`POST ${quotation}/set-as-draft/`)
  const { items } = await seller<Made>(`GET ${quotation}/`)
  await seller(`PATCH ${quotation}/`, { items: [{ id: items[0]?.id, price }] })
  await seller(`POST ${quotation}/send-approval-request/`)
}

/** A quotation that waits for the branch that asked: the first product is dearer or cheaper now. @returns its id */
export const makeOffer = async (parties: Parties, name: string, price = '70.00'): Promise<number> => {
  const id = await ask(parties, name)
  await parties.main(`POST /api/v1/my-quotations/${id}/approve-pending-request/`)
  await offer(parties, id, price)
  return id
}
