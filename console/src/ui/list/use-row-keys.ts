import { useNavigate, useRouterState } from '@tanstack/react-router'
import { useShortcut } from '#ui/shortcuts.ts'

const links = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-row-link]')]

/** The row that is open, else the one that has the focus; -1 for neither. */
const currentRow = (all: readonly HTMLElement[], path: string): number => {
  const open = all.findIndex((link) => link.dataset['rowLink'] === path)
  return open >= 0 ? open : all.findIndex((link) => link === document.activeElement)
}

/** `j` and `k` walk the rows of the list: while details are open they follow, else the focus moves. */
export const useRowKeys = (): { readonly step: (by: 1 | -1) => void } => {
  const path = useRouterState({ select: (state) => state.location.pathname })
  const navigate = useNavigate()
  const step = (by: 1 | -1): void => {
    const all = links()
    const at = currentRow(all, path)
    const next = all[at + by] ?? (at === -1 ? all[0] : undefined)
    if (next === undefined) return
    const isOpen = all.some((link) => link.dataset['rowLink'] === path)
    if (isOpen) void navigate({ to: next.dataset['rowLink'] ?? '.', search: true, replace: true })
    else next.focus()
    next.scrollIntoView({ block: 'nearest' })
  }
  useShortcut('j', 'shell:keys.next_row', () => step(1))
  useShortcut('k', 'shell:keys.previous_row', () => step(-1))
  return { step }
}
