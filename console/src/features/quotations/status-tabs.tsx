import { UnstyledButton } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { statuses } from '#parts/quotation-filters.ts'
import type { List } from '#ui/list/use-list.ts'
import { formatNumber } from '#ui/texts/format.ts'
import { countsOf } from './quotation-list.tsx'
import classes from './quotations.module.css'

type Address = Pick<List<'/api/v1/quotations'>, 'matching' | 'search' | 'change'>

/** The statuses, each with how many quotations are in it; a press shows these alone. */
export const StatusTabs = ({ list: { matching, search, change } }: { readonly list: Address }) => {
  const { t } = useTranslation('quotations')
  const { data: counts } = useQuery({ ...countsOf(matching), placeholderData: keepPreviousData })
  const chosen = [search['status'] ?? []].flat()
  const all = counts === undefined ? undefined : statuses.reduce((sum, status) => sum + counts[status], 0)
  return (
    <div role="group" aria-label={t('field.status')} className={classes['tabs']}>
      <UnstyledButton aria-pressed={chosen.length === 0} onClick={() => change({ status: undefined })}>
        {t('all')} <b>{all === undefined ? '' : formatNumber(all)}</b>
      </UnstyledButton>
      {statuses.map((status) => (
        <UnstyledButton key={status} aria-pressed={chosen.includes(status)} onClick={() => change({ status })}>
          {t(`status.${status}`)} <b>{counts === undefined ? '' : formatNumber(counts[status])}</b>
        </UnstyledButton>
      ))}
    </div>
  )
}
