import { Menu } from '@mantine/core'
import { useClipboard, useDisclosure } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import type { Schema } from '#api/types.ts'
import { Action } from '#ui/action.tsx'
import { isBroker } from '#ui/delivery/is-broker.ts'
import { useShortcut } from '#ui/shortcuts.ts'
import { toastDone, toastFailed } from '#ui/toast.tsx'
import { deliveryAsCurl } from './delivery-curl.ts'
import { Recover } from './redelivery/recover.tsx'

type Detail = Schema<'HookEventDetail'>

/** What one can do with a delivery. */
export const DeliveryActions = ({ delivery }: { readonly delivery: Detail }) => {
  const { t } = useTranslation('deliveries')
  const clipboard = useClipboard()
  const copy = (): void => clipboard.copy(deliveryAsCurl(delivery))
  const isCurl = !isBroker(delivery.webhook.target_url)
  useShortcut('c', 'deliveries:keys.curl', isCurl ? copy : undefined)
  return (
    <>
      <Retry delivery={delivery} />
      <Drop delivery={delivery} />
      <Action off={isCurl ? undefined : t('off.broker')} onClick={copy} keyShortcut="c">
        <span aria-live="polite">{t(clipboard.copied ? 'copied_curl' : 'copy_curl')}</span>
      </Action>
      <Replay delivery={delivery} />
    </>
  )
}

const Retry = ({ delivery }: { readonly delivery: Detail }) => {
  const { t } = useTranslation('deliveries')
  const retry = useSend('post', '/whisperer/hook_events/{id}/retry')
  const { id, status, webhook } = delivery
  const off = whyNotNow(delivery)
  const send = (): void =>
    retry.mutate(
      { path: { id }, body: { force: status === 'pending' || status === 'delivered' } },
      { onSuccess: ({ detail }) => toastDone(detail), onError: toastFailed },
    )
  useShortcut('r', 'deliveries:keys.retry', off === undefined && !retry.isPending ? send : undefined)
  return (
    <Action
      main={status !== 'delivered'}
      off={off === undefined ? undefined : t(off, { hook: webhook.id })}
      loading={retry.isPending}
      onClick={send}
      keyShortcut="r"
    >
      {t(status === 'delivered' ? 'send_again' : 'retry_now')}
    </Action>
  )
}

/** Key of the text that says why it cannot be tried at once; the server refuses it for the same reasons. */
const whyNotNow = ({ status, webhook }: Detail): string | undefined => {
  if (webhook.target_url === null) return 'off.removed'
  if (!webhook.is_active) return 'off.hook_off'
  return status === 'waiting' ? 'off.waiting' : undefined
}

const Drop = ({ delivery: { id, status } }: { readonly delivery: Detail }) => {
  const { t } = useTranslation('deliveries')
  const drop = useSend('post', '/whisperer/hook_events/{id}/drop')
  const isOpen = status === 'pending' || status === 'waiting' || status === 'held'
  return (
    <Action
      off={isOpen ? undefined : t('off.ended')}
      loading={drop.isPending}
      onClick={() => drop.mutate({ path: { id } }, { onSuccess: () => toastDone(t('dropped')), onError: toastFailed })}
    >
      {t('drop')}
    </Action>
  )
}

const Replay = ({ delivery: { id, webhook } }: { readonly delivery: Detail }) => {
  const { t } = useTranslation('deliveries')
  const replay = useSend('post', '/whisperer/hook_events/{id}/replay')
  const [isOpen, { open, close }] = useDisclosure()
  const send = (hooks?: number[]): void =>
    replay.mutate(
      { path: { id }, ...(hooks !== undefined && { body: { hooks } }) },
      { onSuccess: ({ queued }) => toastDone(t('replayed', { count: queued })), onError: toastFailed },
    )
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Action loading={replay.isPending}>{t('replay')}</Action>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => send([webhook.id])}>{t('replay_here')}</Menu.Item>
        <Menu.Item onClick={() => send()}>{t('replay_all')}</Menu.Item>
        {webhook.target_url !== null && <Menu.Item onClick={open}>{t('bulk.recover')}</Menu.Item>}
      </Menu.Dropdown>
      {isOpen && <Recover hook={webhook.id} close={close} />}
    </Menu>
  )
}
