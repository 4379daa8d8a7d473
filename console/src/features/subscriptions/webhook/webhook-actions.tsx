import { useDisclosure } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { call, useSend } from '#api/queries.ts'
import { Action } from '#ui/action.tsx'
import { useNow } from '#ui/now.ts'
import { RecoverDialog } from '../receiver/recover-dialog.tsx'
import { RemoveReceiver } from '../receiver/remove-receiver.tsx'
import { missedSince, type ReceiverHealth } from '../receiver/sentence.ts'
import { SwitchAction } from '../receiver/switch-action.tsx'
import { webhookRoot, type WebhookPath } from './webhook-queries.ts'

interface WebhookActionsProps {
  readonly path: WebhookPath
  readonly health: ReceiverHealth
}

/** What mends a webhook: switching it, and sending what failed or was held. */
export const WebhookActions = ({ path, health }: WebhookActionsProps) => {
  const { t } = useTranslation('subscriptions')
  const [isOpen, { open, close }] = useDisclosure()
  const change = useSend('patch', webhookRoot)
  const recover = useSend('post', `${webhookRoot}/recover`)
  const removing = useSend('delete', webhookRoot)
  const now = useNow()
  return (
    <>
      <SwitchAction
        isActive={health.active}
        isPending={change.isPending}
        set={(active) => change.mutateAsync({ path, body: { active } })}
      />
      <Action off={health.active ? undefined : t('recover.off')} onClick={open}>
        {t('recover.open')}
      </Action>
      <RemoveReceiver
        kind="webhook"
        health={health}
        remove={() => removing.mutateAsync({ path })}
        isPending={removing.isPending}
        listPath="/subscriptions?kind=project_webhook"
      />
      {isOpen && (
        <RecoverDialog
          name={`webhook ${path.webhookId}`}
          title={t('recover.title')}
          about={t('webhook.recover_why')}
          since={missedSince(health, now)}
          close={close}
          count={(since) => call('post', `${webhookRoot}/recover`, { path, body: { since, dryRun: true } })}
          start={(since) => recover.mutateAsync({ path, body: { since } })}
        />
      )}
    </>
  )
}
