import { Checkbox } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '#api/queries.ts'
import { Action } from '#ui/action.tsx'
import { formatNumber } from '#ui/texts/format.ts'
import type { Histogram, Matching } from '../use-histogram.ts'
import { RedeliveryDialog } from './redelivery-dialog.tsx'
import { toFilter } from './to-filter.ts'

interface RetryAllProps {
  readonly matching: Matching
  readonly histogram: Histogram | undefined
}

/** Sends again what failed or is held back of all that the list has, not of one page alone. */
export const RetryAll = ({ matching, histogram }: RetryAllProps) => {
  const { t } = useTranslation('deliveries')
  const [isOpen, { open, close }] = useDisclosure()
  const count = retryable(matching, histogram)
  const about = histogram?.is_exact === false ? '≈ ' : ''
  return (
    <>
      <Action onClick={open} off={count === 0 ? t('off.nothing_failed') : undefined}>
        {count === undefined ? t('bulk.retry') : t('bulk.retry_all', { shown: about + formatNumber(count) })}
      </Action>
      {isOpen && <RetryDialog matching={matching} close={close} />}
    </>
  )
}

/** How many of the list a retry is for, as the chart has counted them; undefined when it has not. */
const retryable = ({ status }: Matching, histogram: Histogram | undefined): number | undefined => {
  if (histogram === undefined) return undefined
  const { failed, held } = histogram.total
  if (status === 'failed') return failed
  if (status === 'held') return held
  return status === undefined ? failed + held : undefined
}

const RetryDialog = ({ matching, close }: { readonly matching: Matching; readonly close: () => void }) => {
  const { t } = useTranslation('deliveries')
  const [force, setForce] = useState(false)
  const filter = toFilter(matching)
  return (
    <RedeliveryDialog
      title={t('bulk.retry_title')}
      close={close}
      asked={['retry', filter, force]}
      send={(how) => call('post', '/whisperer/hook_events/retry', { body: { filter, force, ...how } })}
      startText={(shown) => t('bulk.retry_start', { shown })}
    >
      <p className="muted">{t('bulk.retry_why')}</p>
      <Checkbox label={t('bulk.force')} checked={force} onChange={(event) => setForce(event.currentTarget.checked)} />
    </RedeliveryDialog>
  )
}
