import { SegmentedControl } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { recordOf } from '#api/queries.ts'
import type { Schema } from '#api/types.ts'
import { formatDate, formatNumber } from '#ui/texts/format.ts'
import { Bars } from './bars.tsx'
import classes from './error-reports.module.css'

const spans = ['14', '30', '90'] as const

/** A day of UTC at noon, so that it is the same day in nearly every zone. */
const dayOf = (date: string): string => formatDate(new Date(`${date}T12:00:00Z`))

/** How often it happened on each day. */
export const Occurrences = ({ group }: { readonly group: Schema<'ErrorReportGroup'> }) => {
  const { t } = useTranslation('error-reports')
  const [days, setDays] = useState<string>('14')
  const { data } = useQuery({
    ...recordOf('/api/v1/error_report_groups/{id}/occurrences', {
      path: { id: group.id },
      query: { days: Number(days) },
    }),
    placeholderData: keepPreviousData,
  })
  const all = data?.days ?? []
  const counts = all.map(({ count }) => count)
  const sum = counts.reduce((total, one) => total + one, 0)
  return (
    <section>
      <div className="flex between">
        <h3>{t('occurrences', { count: sum, days: Number(days) })}</h3>
        <SegmentedControl
          size="xs"
          aria-label={t('span')}
          value={days}
          onChange={setDays}
          data={spans.map((value) => ({ value, label: t('days', { count: Number(value) }) }))}
        />
      </div>
      <div style={{ height: 40, marginTop: 8 }}>
        <Bars
          values={counts}
          width={720}
          height={40}
          label={t('occurrences_label', { count: sum, days: Number(days), most: Math.max(0, ...counts) })}
          titles={all.map(({ date, count }) => `${dayOf(date)}: ${formatNumber(count)}`)}
        />
      </div>
      <div className={classes['axis']}>
        <span>{all[0] === undefined ? ' ' : dayOf(all[0].date)}</span>
        <span>{t('most_on_a_day', { count: Math.max(0, ...counts) })}</span>
        <span>{t('today')}</span>
      </div>
    </section>
  )
}
