import { useQuery } from '@tanstack/react-query'
import { recordOf } from '#api/queries.ts'
import { useMe } from '#api/session.ts'
import type { Schema } from '#api/types.ts'

/** What the buyer is about to ask for. */
export const basket = recordOf('/api/v1/basket')

/** The divisions that they may order for; a company has fewer than a page. */
export const divisions = recordOf('/api/v1/my-divisions', { query: { limit: 1000 } })

/** How many quotations there are of each status: the caller's own, those that wait for their main division, or those of the whole company. */
export const countsOf = (scope?: 'approvals' | 'tree') =>
  recordOf('/api/v1/my-quotations/counts', scope === undefined ? {} : { query: { scope } })

interface Buyer {
  readonly me: ReturnType<typeof useMe>
  /** Of the buyer; undefined while it is not known yet, or was switched off. */
  readonly division: Schema<'Division'> | undefined
  /** Those that they may order for. */
  readonly divisions: readonly Schema<'Division'>[]
  /** Whether they are of the main division, which lets quotations of its branches pass. */
  readonly isMain: boolean
}

/** Who buys, and for whom. */
export const useBuyer = (): Buyer => {
  const me = useMe()
  const { data } = useQuery(divisions)
  const all = data?.results ?? []
  const division = all.find(({ id }) => id === me.division)
  return { me, division, divisions: all, isMain: division?.division_type === 'main' }
}
