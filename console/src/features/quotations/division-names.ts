import { useQuery } from '@tanstack/react-query'
import { divisions } from './quotation.ts'

/** What divisions are called; one that the API does not name at once by its id. */
export const useDivisionNames = (): ((id: number) => string) => {
  const { data } = useQuery({ ...divisions, staleTime: 60_000 })
  return (id) => data?.rows.find((one) => one.id === id)?.name ?? `#${id}`
}
