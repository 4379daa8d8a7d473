import { Menu } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { Outlet, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { listOf } from '#api/queries.ts'
import { useMe } from '#api/session.ts'
import type { Schema } from '#api/types.ts'
import { Action } from '#ui/action.tsx'
import { Link } from '#ui/link.tsx'
import { FilterBar } from '#ui/list/filter-bar.tsx'
import type { Search } from '#ui/list/filters.ts'
import { Pager } from '#ui/list/pager.tsx'
import { queryOf, useList, type List } from '#ui/list/use-list.ts'
import { PageTitle } from '#ui/page-title.tsx'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { ShowAsRequest } from '#ui/show-as-request.tsx'
import { useShortcut } from '#ui/shortcuts.ts'
import { Empty, Failed, Skeleton } from '#ui/states.tsx'
import { formatNumber } from '#ui/texts/format.ts'
import { groupList, groupsPath, orderings, queryOfTab, tabOf, tabs, toGroup, toTab } from './group-list.ts'
import { GroupRow } from './group-row.tsx'
import { useLiveGroups } from './live-groups.ts'
import { useNames } from './names.ts'
import classes from './error-reports.module.css'

type Groups = List<typeof groupsPath>

/** The tab "Mine" needs to know who looks; the others do not. */
export const asks = ({ search }: Address): readonly AnyQuery[] =>
  tabOf(search) === 'mine' ? [] : [queryOf(groupList(tabOf(search), 0), search)]

/** What went wrong, by cause: groups on the left, the one that is open on the right. */
export const GroupsScreen = () => {
  const { t } = useTranslation('error-reports')
  const me = useMe()
  const names = useNames()
  const search: Search = useSearch({ strict: false })
  const tab = tabOf(search)
  const list = useList(groupList(tab, me.id, names.choices))
  const { id: open }: { readonly id?: string } = useParams({ strict: false })
  const { rows = none, total } = list.result.data ?? {}
  const { liveOf, others } = useLiveGroups(rows, list.result.dataUpdatedAt)
  return (
    <div className={classes['split']}>
      <section className={classes['groups']} aria-label={t('title')}>
        <div className={classes['head']}>
          <div className="flex between">
            <span className="flex">
              <PageTitle>{total === undefined ? t('title') : t(`heading.${tab}`, { count: total })}</PageTitle>
              <span aria-live="polite">
                {others > 0 && (
                  <button type="button" className={classes['newsButton']} onClick={() => void list.result.refetch()}>
                    <span aria-hidden="true">{t('more', { count: others })}</span>
                    <span className="visually-hidden">{t('others', { count: others })}</span>
                  </button>
                )}
              </span>
            </span>
            <Ordering list={list} />
          </div>
          <FilterBar list={list} />
          <Tabs list={list} me={me.id} />
        </div>
        <Rows list={list} names={names} open={open} liveOf={liveOf} />
        <div className={classes['news']}>
          {list.result.data !== undefined && <Pager list={list} page={list.result.data} />}
          <div className="flex between wrap small">
            <Link to="/error_reports?is_ok=false">{t('all_reports')}</Link>
            <ShowAsRequest {...list.request} />
          </div>
        </div>
      </section>
      {open === undefined ? <Choose list={list} /> : <Outlet />}
    </div>
  )
}

const Ordering = ({ list }: { readonly list: Groups }) => {
  const { t } = useTranslation('error-reports')
  const now = orderings.find((one) => one === list.search['ordering']) ?? '-last_seen'
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Action variant="subtle">{t(`order.${now}`)} ▾</Action>
      </Menu.Target>
      <Menu.Dropdown>
        {orderings.map((one) => (
          <Menu.Item key={one} onClick={() => list.change({ ordering: one })}>
            {t(`order.${one}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

/** Each with how many groups it has, by the filters that are set. */
const Tabs = ({ list, me }: { readonly list: Groups; readonly me: number }) => {
  const { t } = useTranslation('error-reports')
  const here = tabOf(list.search)
  const counts = useQueries({
    queries: tabs.map((tab) => listOf(groupsPath, { query: { ...list.matching, ...queryOfTab(tab, me), limit: 1 } })),
  })
  return (
    <nav className={classes['tabs']} aria-label={t('tabs')}>
      {tabs.map((tab, index) => (
        <button
          key={tab}
          type="button"
          className={`${classes['tab']} ${classes['plain']}`}
          aria-current={tab === here ? 'page' : undefined}
          onClick={() => list.change(toTab(tab))}
        >
          {t(`tab.${tab}`)} <span className="num">{formatted(counts[index]?.data?.total)}</span>
        </button>
      ))}
    </nav>
  )
}

const formatted = (count: number | undefined): string => (count === undefined ? '' : formatNumber(count))

interface RowsProps {
  readonly list: Groups
  readonly names: ReturnType<typeof useNames>
  readonly open: string | undefined
  readonly liveOf: ReturnType<typeof useLiveGroups>['liveOf']
}

const Rows = ({ list, names, open, liveOf }: RowsProps) => {
  const { result } = list
  const rows = result.data?.rows ?? none
  useGroupKeys(rows, open, list.search)
  if (result.error !== null && result.data === undefined)
    return <Failed error={result.error} retry={() => void result.refetch()} />
  if (result.data === undefined) return <LoadingRows />
  return (
    <>
      {rows.length === 0 && <NoGroups list={list} />}
      {rows.map((group) => (
        <GroupRow
          key={group.id}
          group={group}
          live={liveOf(group.id)}
          names={names}
          to={toGroup(group.id, list.search)}
          isOpen={String(group.id) === open}
        />
      ))}
    </>
  )
}

const none: readonly Schema<'ErrorReportGroup'>[] = []

const LoadingRows = () => (
  <div style={{ padding: '10px 16px' }}>
    <Skeleton lines={18} width="100%" />
  </div>
)

const NoGroups = ({ list }: { readonly list: Groups }) => {
  const { t } = useTranslation('error-reports')
  const { t: common } = useTranslation('texts')
  if (list.active.length > 0)
    return (
      <Empty title={common('list.no_match')} action={<Action onClick={list.clear}>{common('list.clear')}</Action>} />
    )
  const tab = tabOf(list.search)
  return <Empty title={t(`empty.${tab}`)}>{t(`empty_why.${tab}`)}</Empty>
}

/** `J` and `K` walk the groups; from one that has left the list, to whatever took its place. */
const useGroupKeys = (rows: readonly { readonly id: number }[], open: string | undefined, search: Search): void => {
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

/** What stands on the right while no group is open. */
const Choose = ({ list }: { readonly list: Groups }) => {
  const { t } = useTranslation('error-reports')
  const first = list.result.data?.rows[0]
  return (
    <div className={classes['hint']}>
      {first !== undefined && (
        <Empty title={t('choose')} action={<Link to={toGroup(first.id, list.search)}>{t('choose_first')}</Link>}>
          {t('choose_why')}
        </Empty>
      )}
    </div>
  )
}
