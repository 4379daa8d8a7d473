import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call, useSend } from '#api/queries.ts'
import type { Schema } from '#api/types.ts'
import { Action } from '#ui/action.tsx'
import { useNow } from '#ui/now.ts'
import { RecoverDialog, type Counted } from '../receiver/recover-dialog.tsx'
import { RemoveReceiver } from '../receiver/remove-receiver.tsx'
import { missedSince, type ReceiverHealth } from '../receiver/sentence.ts'
import { SwitchAction } from '../receiver/switch-action.tsx'

interface HookActionsProps {
  readonly hook: Schema<'Hook'>
  readonly health: ReceiverHealth
}

/** What mends a hook: switching it, and sending what it missed. */
export const HookActions = ({ hook, health }: HookActionsProps) => {
  const { t } = useTranslation('subscriptions')
  const [open, setOpen] = useState<'recover' | 'missing'>()
  const change = useSend('patch', '/whisperer/hooks/{id}')
  const recover = useSend('post', '/whisperer/hooks/{id}/recover')
  const removing = useSend('delete', '/whisperer/hooks/{id}')
  const path = { id: hook.id }
  const isMissing = open === 'missing'
  const now = useNow()
  const since = missedSince(health, now)
  const off = hook.is_active ? undefined : t('recover.off')
  return (
    <>
      <SwitchAction
        isActive={hook.is_active}
        isPending={change.isPending}
        set={(isActive) => change.mutateAsync({ path, body: { is_active: isActive } })}
      />
      <Action off={off} onClick={() => setOpen('recover')}>
        {t('recover.open')}
      </Action>
      <Action off={off} onClick={() => setOpen('missing')}>
        {t('recover.open_missing')}
      </Action>
      <RemoveReceiver
        kind="hook"
        health={health}
        remove={() => removing.mutateAsync({ path })}
        isPending={removing.isPending}
        listPath="/subscriptions"
      />
      {open !== undefined && (
        <RecoverDialog
          key={open}
          name={`hook ${hook.id} ${open}`}
          title={t(isMissing ? 'recover.title_missing' : 'recover.title')}
          about={t(isMissing ? 'recover.why_missing' : 'recover.why')}
          since={since}
          close={() => setOpen(undefined)}
          count={async (from) => {
            const body = { since: from, missing: isMissing, dry_run: true }
            return toCounted((await call('post', '/whisperer/hooks/{id}/recover', { path, body })) as Count)
          }}
          start={(from) => recover.mutateAsync({ path, body: { since: from, missing: isMissing, start: true } })}
        />
      )}
    </>
  )
}

type Count = Schema<'RedeliveryCount'>

const toCounted = ({ count, is_exact: isExact, sample }: Count): Counted => ({
  count,
  isExact,
  sample: sample.map((one) => ({
    event: one.event,
    type: one.event_type,
    about: one.object_id === null ? '' : `${one.object_type} ${one.object_id}`,
    at: one.occurred_at,
  })),
})
