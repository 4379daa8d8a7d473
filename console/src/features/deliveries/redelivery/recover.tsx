import { Checkbox, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call, recordOf } from '#api/queries.ts'
import { fromLocalTime, toLocalTime } from '#ui/local-time.ts'
import { RedeliveryDialog } from './redelivery-dialog.tsx'

interface RecoverProps {
  readonly hook: number
  readonly close: () => void
}

/** Sends one hook what it missed since a time: what failed, is held back, or never became a delivery. */
export const Recover = ({ hook, close }: RecoverProps) => {
  const { t } = useTranslation('deliveries')
  const { data: health } = useQuery(recordOf('/whisperer/hooks/{id}/health', { path: { id: hook } }))
  const [typed, setTyped] = useState<string>()
  const [missing, setMissing] = useState(false)
  const usual = health?.failing_since ?? health?.disabled_at ?? yesterday
  const local = typed ?? toLocalTime(usual)
  const since = fromLocalTime(local)
  return (
    <RedeliveryDialog
      title={t('bulk.recover_title', { hook })}
      close={close}
      asked={['recover', hook, since, missing]}
      send={
        since === undefined
          ? undefined
          : (how) =>
              call('post', '/whisperer/hooks/{id}/recover', { path: { id: hook }, body: { since, missing, ...how } })
      }
      startText={(shown) => t('bulk.recover_start', { shown })}
    >
      <p className="muted">{t(missing ? 'bulk.missing_why' : 'bulk.recover_why')}</p>
      <TextInput
        type="datetime-local"
        step={1}
        label={t('bulk.since')}
        description={usual === yesterday ? undefined : t('bulk.since_hint')}
        value={local}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Checkbox
        label={t('bulk.missing')}
        checked={missing}
        onChange={(event) => setMissing(event.currentTarget.checked)}
      />
    </RedeliveryDialog>
  )
}

/** Where a hook that does not fail begins: the day before the page was opened. */
const yesterday = new Date(Date.now() - 24 * 3_600_000).toISOString()
