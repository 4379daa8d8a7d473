import { useQueries } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { listOf } from '#api/queries.ts'
import { formatNumber } from '#ui/texts/format.ts'
import { groupsPath, queryOfTab, tabOf, tabs, toTab, type GroupList } from './group-list.ts'
import classes from './error-reports.module.css'

/** The tabs, each with how many groups it has by the filters that are set. @param me id of whoever looks */
export const GroupTabs = ({ list, me }: { readonly list: GroupList; readonly me: number }) => {
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
