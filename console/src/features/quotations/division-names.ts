import { useQuery } from '@tanstack/react-query'
import { listOf } from '#api/queries.ts'
import { useDraftHere } from './draft/use-draft.ts'
import type { Quotation } from './quotation.ts'

/** The tree of a main division, which it orders for; of a branch there is none. The API answers at most 100 at a time. */
const treeOf = ({ user }: Quotation) =>
  listOf('/api/v1/divisions', { query: { root: user.division.id, limit: 100, ordering: 'name' } })

/** The divisions that the buyer can order for, as far as the API lists them at once. */
export const useOrderable = () => {
  const { quotation } = useDraftHere()
  const { data } = useQuery({ ...treeOf(quotation), staleTime: 60_000 })
  return data?.rows.filter((one) => one.is_active) ?? []
}

/** What divisions are called; while that is not known an ellipsis, and one that the API does not list by its id. */
export const useDivisionNames = (): ((id: number) => string) => {
  const { quotation } = useDraftHere()
  const { data } = useQuery({ ...treeOf(quotation), staleTime: 60_000 })
  const { division } = quotation.user
  const names = new Map([
    [division.id, division.name],
    ...(data?.rows.map(({ id, name }) => [id, name] as const) ?? []),
  ])
  return (id) => names.get(id) ?? (data === undefined ? '…' : `#${id}`)
}
