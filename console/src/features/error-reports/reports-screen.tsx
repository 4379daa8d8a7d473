import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Schema } from '#api/types.ts'
import { Link } from '#ui/link.tsx'
import { ListView } from '#ui/list/list-view.tsx'
import { queryOf, useList } from '#ui/list/use-list.ts'
import { Page } from '#ui/page.tsx'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { Empty } from '#ui/states.tsx'
import { CloseMatching } from './close-matching.tsx'
import { useNames } from './names.ts'
import { columnsOf, reportList } from './report-list.tsx'
import { Chosen } from './report-table.tsx'
import { useUndoKey } from './undo.ts'

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
        besideCount={
          rows.length > 0 ? <Chosen rows={rows} done={() => setChosen([])} /> : <CloseMatching list={list} />
        }
      />
    </Page>
  )
}
