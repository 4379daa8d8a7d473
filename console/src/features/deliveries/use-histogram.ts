import { useQuery } from '@tanstack/react-query'
import { listOf, recordOf } from '#api/queries.ts'
import type { Query, Schema } from '#api/types.ts'

export type Histogram = Schema<'HookEventHistogram'>
export type Matching = Readonly<Record<string, string | readonly string[]>>

const path = '/whisperer/hook_events/histogram'
const everyMs = 15_000

/**
 * How many deliveries there were over the time of the list, by outcome: whatever status the list asks for, so that the
 * others stand beside it. Where the list has no beginning, the oldest delivery is the beginning.
 */
export const useHistogram = (
  matching: Matching,
): { readonly histogram: Histogram | undefined; readonly isOld: boolean } => {
  const { status: _, ...filters } = matching
  const isOpen = filters['created_date__gte'] === undefined
  const oldest = useQuery({
    ...listOf('/whisperer/hook_events', {
      query: { ...filters, ordering: 'created_date', limit: 1 },
    }),
    enabled: isOpen,
    staleTime: 60_000,
    meta: { isLive: false },
  })
  const from = isOpen ? oldest.data?.rows[0]?.created_date : filters['created_date__gte']
  const result = useQuery({
    ...recordOf(path, { query: { ...filters, created_date__gte: from } as Query<'get', typeof path> }),
    enabled: from !== undefined,
    placeholderData: (before: Histogram | undefined) => before,
    // The stream says so too often: the counts of a whole time change with each delivery.
    meta: { isLive: false },
    refetchInterval: everyMs,
  })
  return { histogram: result.data, isOld: result.isPlaceholderData }
}
