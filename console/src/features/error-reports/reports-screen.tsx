import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Schema } from '#api/types.ts'
import { Link } from '#ui/link.tsx'
import { ListView } from '#ui/list/list-view.tsx'
import { queryOf, useList, type List } from '#ui/list/use-list.ts'
import { Page } from '#ui/page.tsx'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { Empty } from '#ui/states.tsx'
import { CloseMatching } from './close-matching.tsx'
import { useNames } from './names.ts'
import { columnsOf, reportList } from './report-list.tsx'
import { ChangeChosen } from './change-chosen.tsx'
import { useUndoKey } from './undo.ts'
import classes from './error-reports.module.css'

export const asks = ({ search }: Address): readonly AnyQuery[] => [queryOf(reportList(), search)]

/** Every report by itself, for whoever looks for some that no group brings together. */
export const ReportsScreen = () => {
  const { t } = useTranslation('error-reports')
  const names = useNames()
  const list = useList(reportList(names.choices))
  const [chosen, setChosen] = useState<readonly Schema<'ErrorReport'>[]>([])
  const rows = list.result.data?.rows.filter(({ id }) => chosen.some((one) => one.id === id)) ?? []
  useUndoKey()
  return (
    <Page
      title={t('all_title')}
      about={
        <>
          {t('all_about')} <Link to="/error_report_groups">{t('by_cause')}</Link>
        </>
      }
      request={list.request}
    >
      <ListView
        list={list}
        columns={columnsOf(names)}
        rowTo={({ id }) => `/error_reports/${id}`}
        empty={<Empty title={t('empty.open')}>{t('empty_why.open')}</Empty>}
        selection={{ rows, select: setChosen }}
        above={<KindTabs list={list} />}
        besideCount={
          rows.length > 0 ? <ChangeChosen rows={rows} done={() => setChosen([])} /> : <CloseMatching list={list} />
        }
      />
    </Page>
  )
}

const kinds = ['all', 'city', 'township', 'product'] as const

/** The kinds that are looked through most, as the filter says them too. */
const KindTabs = ({ list }: { readonly list: List<'/api/v1/error_reports'> }) => {
  const { t } = useTranslation('error-reports')
  const here = list.search['action_content_type'] ?? 'all'
  return (
    <nav className={classes['kinds']} aria-label={t('report_tabs')}>
      {kinds.map((kind) => (
        <button
          key={kind}
          type="button"
          className={`${classes['plain']} ${classes['tab']}`}
          aria-current={kind === here ? 'page' : undefined}
          onClick={() => list.change({ action_content_type: kind === 'all' ? undefined : kind })}
        >
          {t(`report_tab.${kind}`)}
        </button>
      ))}
    </nav>
  )
}
