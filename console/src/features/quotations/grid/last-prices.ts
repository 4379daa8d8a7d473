import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { recordOf } from '#api/queries.ts'

/** What the buyer's company paid for each product in its last approved quotation, by what the platform calls the product. */
export const useLastPrices = (id: number): ReadonlyMap<string, string> => {
  const { data } = useQuery({
    ...recordOf('/api/v1/quotations/{id}/last-prices', { path: { id } }),
    // Of quotations before this one, so nothing that is done here changes it.
    staleTime: 'static',
  })
  return useMemo(() => new Map(data?.results.map((one) => [String(one.product_remote_id), one.price])), [data])
}
