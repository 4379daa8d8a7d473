import { Modal } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { call, useSend } from '#api/queries.ts'
import { Action } from '#ui/action.tsx'
import { useGo } from '#ui/go.ts'
import { useNow } from '#ui/now.ts'
import { toastDone, toastFailed } from '#ui/toast.tsx'
import { RecoverDialog } from '../receiver/recover-dialog.tsx'
import { missedSince, type ReceiverHealth } from '../receiver/sentence.ts'
import { SwitchAction } from '../receiver/switch-action.tsx'
import { webhookRoot, type WebhookPath } from './webhook-queries.ts'

interface WebhookActionsProps {
  readonly path: WebhookPath
  readonly health: ReceiverHealth
}

const dayMs = 86_400_000

/** What mends a webhook: switching it, and sending what failed or was held. */
export const WebhookActions = ({ path, health }: WebhookActionsProps) => {
  const { t } = useTranslation('subscriptions')
  const [isOpen, { open, close }] = useDisclosure()
  const change = useSend('patch', webhookRoot)
  const recover = useSend('post', `${webhookRoot}/recover`)
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
      <Remove path={path} health={health} />
      {isOpen && (
        <RecoverDialog
          name={`webhook ${path.webhookId}`}
          title={t('recover.title')}
          about={t('webhook.recover_why')}
          since={missedSince(health) ?? new Date(now.getTime() - dayMs).toISOString()}
          close={close}
          count={(since) => call('post', `${webhookRoot}/recover`, { path, body: { since, dryRun: true } })}
          start={(since) => recover.mutateAsync({ path, body: { since } })}
        />
      )}
    </>
  )
}

const Remove = ({ path, health }: WebhookActionsProps) => {
  const { t } = useTranslation('subscriptions')
  const [isOpen, { open, close }] = useDisclosure()
  const removing = useSend('delete', webhookRoot)
  const go = useGo()
  const count = health.pending + health.waiting + health.held
  const remove = (): void =>
    removing.mutate(
      { path },
      {
        onSuccess: () => {
          go.replace('/subscriptions?kind=project_webhook')
          toastDone(t('webhook.removed'))
        },
        onError: toastFailed,
      },
    )
  return (
    <>
      <Action variant="subtle" onClick={open}>
        {t('webhook.remove')}
      </Action>
      <Modal opened={isOpen} onClose={close} title={t('webhook.remove_title')}>
        <div className="stack">
          <p>{t('remove.why', { count })}</p>
          <div className="flex wrap">
            <Action main loading={removing.isPending} onClick={remove}>
              {t('webhook.remove_submit', { count })}
            </Action>
            <Action onClick={close}>{t('texts:cancel')}</Action>
          </div>
        </div>
      </Modal>
    </>
  )
}
