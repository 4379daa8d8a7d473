import { useQuery, type UseQueryOptions } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { ApiError } from '#api/api-error.ts'
import { call } from '#api/queries.ts'
import type { Answer } from '#api/types.ts'

const path = '/api/v1/quotations/{id}/viewers'

/** Somebody else who has the quotation open. */
export type Viewer = Answer<'put', typeof path>['results'][number]

const everyMs = 20_000
const nobody: readonly Viewer[] = []

/** Says that the quotation is looked at as long as the page is in sight, and answers with the others who look at it. */
export const useViewers = (id: number): readonly Viewer[] => {
  const looking: UseQueryOptions<readonly Viewer[], ApiError> = {
    queryKey: ['viewers', id],
    queryFn: async () => (await call('put', path, { path: { id } })).results,
    staleTime: 'static',
    gcTime: 0,
    // A page in the background says nothing.
    refetchInterval: everyMs,
    retry: false,
  }
  const { data = nobody } = useQuery(looking)
  useEffect(
    () => () => {
      // Whoever leaves without it is forgotten after a while all the same.
      call('delete', path, { path: { id } }).catch(() => undefined)
    },
    [id],
  )
  return data
}
