import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { recordOf } from '#api/queries.ts'
import type { Quotation } from '../quotation.ts'

/** What the buyer's company paid for each product in its last approved quotation, by what the platform calls the product. */
export const useLastPrices = ({ id, items }: Quotation): ReadonlyMap<string, string> => {
  const query = recordOf('/api/v1/quotations/{id}/last-prices', { path: { id } })
  const { data } = useQuery({
    ...query,
    // It is asked of the products that are saved.
    queryKey: [...query.queryKey, items.map((item) => item.product_remote_id)],
    placeholderData: keepPreviousData,
    // Of quotations before this one, so nothing that is done here changes it.
    staleTime: 'static',
  })
  return useMemo(() => new Map(data?.results.map((one) => [String(one.product_remote_id), one.price])), [data])
}
