import { useDisclosure } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { Action } from '#ui/action.tsx'
import { Link } from '#ui/link.tsx'
import type { Histogram, Matching } from '../use-histogram.ts'
import { Recover } from './recover.tsx'
import { RetryAll } from './retry-all.tsx'

interface BulkActionsProps {
  readonly matching: Matching
  readonly histogram: Histogram | undefined
}

/** What can be done with all that the list has. */
export const BulkActions = ({ matching, histogram }: BulkActionsProps) => {
  const { t } = useTranslation('deliveries')
  const [isOpen, { open, close }] = useDisclosure()
  const hook = matching['webhook']
  return (
    <>
      <Link to="/redeliveries">{t('job.title')}</Link>
      <Action off={hook === undefined ? t('off.which_hook') : undefined} onClick={open}>
        {t('bulk.recover')}
      </Action>
      {isOpen && hook !== undefined && <Recover hook={Number(hook)} close={close} />}
      <RetryAll matching={matching} histogram={histogram} />
    </>
  )
}
