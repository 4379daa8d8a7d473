import { mainBuyer, superuser } from '../../../server/demo/logins.ts'
import { logInToApi, type ApiCall } from './api.ts'

/** A draft of the seller, as it was made. */
export interface Draft {
  readonly id: number
  readonly number: string
  readonly items: readonly { readonly id: number; readonly product: string; readonly sku: string }[]
  readonly net_amount: string
}

const table = (names: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [names, ...rows].map((row) => row.join(',')).join('\r\n')

/** The API takes tables of about a megabyte. */
const rowsAtOnce = 5_000

/**
 * Makes a draft of so many lines for the first divisions of the demo's buyer: product n costs n euros, and n pieces of it are
 * for the first division and one for each other.
 */
export const makeDraft = async (
  origin: string,
  { lines, divisions, name }: { readonly lines: number; readonly divisions: number; readonly name: string },
): Promise<{ readonly draft: Draft; readonly seller: ApiCall }> => {
  const [seller, buyer] = await Promise.all([logInToApi(origin, superuser), logInToApi(origin, mainBuyer)])
  const prefix = `W${Date.now().toString(36)}`
  const products = Array.from({ length: lines }, (_, index) => {
    const place = String(index + 1).padStart(5, '0')
    return {
      remoteId: `${prefix}-${place}`,
      name: `Sheet ${place}`,
      price: `${(index % 90) + 1}.00`,
      pieces: (index % 9) + 1,
    }
  })
  for (let from = 0; from < lines; from += rowsAtOnce) {
    const some = products.slice(from, from + rowsAtOnce)
    const rows = some.map(({ remoteId, name: called, price }) => [remoteId, remoteId, called, price, 'EUR'])
    await seller('POST /api/v1/products/import', table(['remote_id', 'sku', 'name', 'price', 'currency'], rows))
  }
  const { results } = await buyer<{ results: readonly { id: number }[] }>('GET /api/v1/my-divisions?limit=100')
  // Of its branches one has a monthly limit.
  const chosen = results.filter((_, index) => index !== 1).slice(0, divisions)
  for (let from = 0; from < lines; from += rowsAtOnce) {
    const some = products.slice(from, from + rowsAtOnce)
    const rows = some.flatMap(({ remoteId, pieces }) =>
      chosen.map(({ id }, index) => [remoteId, id, index === 0 ? pieces : 1]),
    )
    await buyer(
      `POST /api/v1/basket/import?replace=${from === 0}`,
      table(['product_remote_id', 'division', 'quantity'], rows),
    )
  }
  const { id } = await buyer<{ id: number }>('POST /api/v1/my-quotations', { name })
  return { draft: await seller<Draft>(`POST /api/v1/quotations/${id}/set-as-draft`), seller }
}
