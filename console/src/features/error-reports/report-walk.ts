import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { listOf } from '#api/queries.ts'
import type { Schema } from '#api/types.ts'
import type { Search } from '#ui/list/filters.ts'

const limit = 50

/**
 * The reports of a group, one after the other, the newest first; the open ones unless the address says `reports=all`.
 * What the stream brings does not move them: the one that is read stays, until its reader asks for the new ones.
 */
export const useReportWalk = (group: Schema<'ErrorReportGroup'>) => {
  const search: Search = useSearch({ strict: false })
  const navigate = useNavigate()
  const isAll = search['reports'] === 'all' || group.open_count === 0
  const [page, setPage] = useState(1)
  const query = { group: group.id, limit, page, ...(isAll ? {} : { is_ok: false }) }
  const result = useQuery({ ...listOf('/api/v1/error_reports', { query }), meta: { isLive: false } })
  const rows = result.data?.rows ?? none
  const { pinned, pinAt } = usePinned(result.isPlaceholderData ? none : rows, `${page} ${isAll}`)
  const chosen = search['report'] === undefined ? pinned : Number(search['report'])
  const index = rows.findIndex(({ id }) => id === chosen)
  const total = result.data?.total ?? 0
  const change = (parameters: Search): void =>
    void navigate({ to: '.', search: { ...search, ...parameters }, replace: true })
  const go = (id: number): void => change({ report: String(id) })
  const turn = (by: 1 | -1): void => {
    if (page + by < 1 || (page + by - 1) * limit >= total) return
    pinAt(by === 1 ? 'first' : 'last')
    setPage(page + by)
    change({ report: undefined })
  }
  const restart = (parameters: Search = {}): void => {
    pinAt('first')
    setPage(1)
    change({ ...parameters, report: undefined })
  }
  return {
    result,
    rows,
    total,
    isAll,
    chosen,
    page,
    pages: Math.ceil(total / limit),
    /** Where the chosen one stands among all; undefined when it is not on this page. */
    position: index < 0 ? undefined : (page - 1) * limit + index + 1,
    row: rows[index],
    /** The one to go on with when the chosen one is done with. */
    following: rows[index + 1] ?? rows[index - 1],
    go,
    turn,
    step: (by: 1 | -1): void => {
      const next = rows[index + by]
      if (next !== undefined) go(next.id)
      else if (index >= 0) turn(by)
    },
    showAll: (all: boolean): void => restart({ reports: all ? 'all' : undefined }),
    /** Reads the list again from its beginning. */
    renew: (): void => {
      void result.refetch().then(() => restart())
    },
  }
}

const none: readonly Schema<'ErrorReport'>[] = []

/** Which report is shown while the address names none: the first of the page that was gone to, or its last. It stays when others come before it. */
const usePinned = (rows: readonly Schema<'ErrorReport'>[], key: string) => {
  const [edge, setEdge] = useState<'first' | 'last'>('first')
  const [pinned, setPinned] = useState<{ readonly key: string; readonly id: number }>()
  const fresh = edge === 'first' ? rows[0] : rows.at(-1)
  if (fresh !== undefined && pinned?.key !== key) setPinned({ key, id: fresh.id })
  const pinAt = (next: 'first' | 'last'): void => {
    setEdge(next)
    setPinned(undefined)
  }
  return { pinned: pinned?.id, pinAt }
}

export type ReportWalk = ReturnType<typeof useReportWalk>
