import { useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import type { Search } from '#ui/list/filters.ts'
import { useShortcut } from '#ui/shortcuts.ts'

/** `J` and `K` walk the groups; from one that has left the list, to whatever took its place. */
export const useGroupKeys = (
  rows: readonly { readonly id: number }[],
  open: string | undefined,
  search: Search,
): void => {
  const navigate = useNavigate()
  const last = useRef(-1)
  const step = (by: 1 | -1): void => {
    const at = rows.findIndex(({ id }) => String(id) === open)
    const next = rows[nextIndex(at, by, last.current)]
    if (next === undefined) return
    last.current = rows.indexOf(next)
    void navigate({
      to: `/error_report_groups/${next.id}`,
      search: { ...search, report: undefined, reports: undefined },
    })
    document.querySelector(`[data-group="${next.id}"]`)?.scrollIntoView({ block: 'nearest' })
  }
  useShortcut('J', 'error-reports:keys.next_group', () => step(1))
  useShortcut('K', 'error-reports:keys.previous_group', () => step(-1))
}

const nextIndex = (at: number, by: 1 | -1, last: number): number => {
  if (at >= 0) return at + by
  return by === 1 ? Math.max(0, last) : Math.max(0, last - 1)
}
