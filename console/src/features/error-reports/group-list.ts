import type { Query } from '#api/types.ts'
import type { Search } from '#ui/list/filters.ts'
import type { List, ListDefinition } from '#ui/list/use-list.ts'
import type { Names } from './names.ts'

export const groupsPath = '/api/v1/error_report_groups'
type Groups = typeof groupsPath
export type GroupList = List<Groups>

export const tabs = ['open', 'regressed', 'mine', 'resolved', 'ignored'] as const
export type Tab = (typeof tabs)[number]

/** The tab of an address: by its name, or by what the API is asked for, as links from elsewhere say it. */
export const tabOf = ({ tab, state, regressed }: Search): Tab => {
  const named = regressed === 'true' ? 'regressed' : state
  return tabs.find((one) => one === (tab ?? named)) ?? 'open'
}

/** What the address of a tab says. */
export const toTab = (tab: Tab): Search => ({
  tab: tab === 'open' ? undefined : tab,
  state: undefined,
  regressed: undefined,
})

/** What a tab asks for. @param me id of whoever looks */
export const queryOfTab = (tab: Tab, me: number): Query<'get', Groups> => {
  const byTab: Record<Tab, Query<'get', Groups>> = {
    open: { state: 'open' },
    regressed: { state: 'open', regressed: true },
    mine: { state: 'open', assignee: me },
    resolved: { state: 'resolved' },
    ignored: { state: 'ignored' },
  }
  return byTab[tab]
}

export const orderings = ['-last_seen', '-count', '-open_count', '-first_seen', 'first_seen'] as const

/** The list of a tab. @param choices what its filters choose from; none where only the question matters */
export const groupList = (tab: Tab, me: number, choices?: Names['choices']): ListDefinition<Groups> => ({
  path: groupsPath,
  texts: 'error-reports',
  isLive: false,
  always: queryOfTab(tab, me),
  filters: [
    { name: 'q', label: 'filter.q', kind: 'text' },
    { name: 'channel', label: 'filter.channel', kind: 'choice', choices: choices?.channels ?? [] },
    { name: 'action_content_type', label: 'filter.kind', kind: 'choice', choices: choices?.kinds ?? [] },
    { name: 'assignee', label: 'filter.assignee', kind: 'choice', choices: choices?.people ?? [] },
    { name: 'last_seen', label: 'filter.last_seen', kind: 'time' },
    { name: 'first_seen', label: 'filter.first_seen', kind: 'time' },
    { name: 'count', label: 'filter.count', kind: 'amount' },
    { name: 'open_count', label: 'filter.open_count', kind: 'amount' },
  ],
})

/** The address of a group that keeps tab, filters and order, and forgets the report of the group before. */
export const toGroup = (id: number | string, search: Search): string => {
  const kept = Object.entries(search).flatMap(([name, value]) =>
    name === 'report' || name === 'reports' || typeof value !== 'string' ? [] : [[name, value]],
  )
  const query = new URLSearchParams(kept)
  return `/error_report_groups/${id}${query.size === 0 ? '' : `?${query}`}`
}
