import { Menu } from '@mantine/core'
import { Outlet, useParams, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useMe } from '#api/session.ts'
import { Action } from '#ui/action.tsx'
import { Link } from '#ui/link.tsx'
import { FilterBar } from '#ui/list/filter-bar.tsx'
import type { Search } from '#ui/list/filters.ts'
import { Pager } from '#ui/list/pager.tsx'
import { queryOf, useList } from '#ui/list/use-list.ts'
import { PageTitle } from '#ui/page-title.tsx'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { ShowAsRequest } from '#ui/show-as-request.tsx'
import { Empty } from '#ui/states.tsx'
import { groupList, orderings, tabOf, toGroup, type GroupList } from './group-list.ts'
import { GroupRows } from './group-rows.tsx'
import { GroupTabs } from './group-tabs.tsx'
import { KeysBeforeChoice } from './keys.tsx'
import { useLiveGroups } from './live-groups.ts'
import { useNames } from './names.ts'
import { useUndoKey } from './undo.ts'
import classes from './error-reports.module.css'

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
  const { rows = [], total } = list.result.data ?? {}
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
          <GroupTabs list={list} me={me.id} />
        </div>
        <GroupRows list={list} names={names} open={open} liveOf={liveOf} />
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

const Ordering = ({ list }: { readonly list: GroupList }) => {
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

/** What stands on the right while no group is open. */
const Choose = ({ list }: { readonly list: GroupList }) => {
  const { t } = useTranslation('error-reports')
  const first = list.result.data?.rows[0]
  useUndoKey()
  return (
    <div className={classes['hint']}>
      <KeysBeforeChoice />
      {first !== undefined && (
        <Empty title={t('choose')} action={<Link to={toGroup(first.id, list.search)}>{t('choose_first')}</Link>}>
          {t('choose_why')}
        </Empty>
      )}
    </div>
  )
}
