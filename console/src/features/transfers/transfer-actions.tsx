import { useDisclosure } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import { Action } from '#ui/action.tsx'
import { CancelDialog } from '#parts/fulfilment/cancel-dialog.tsx'
import { piecesOf } from '#parts/fulfilment/items.ts'
import { toastDone, toastFailed } from '#ui/toast.tsx'
import { ReceiveTransfer } from './receive-transfer.tsx'
import type { Transfer } from './transfer-list.tsx'

interface TransferProps {
  readonly transfer: Transfer
  /** Code of the source. */
  readonly from: string
}

const steps = ['transition', 'ready', 'dispatch'] as const

/** What one can do with a transfer: the next step first; what is not allowed says why. */
export const TransferActions = (props: TransferProps) => (
  <>
    {steps.map((action) => (
      <Move key={action} action={action} {...props} />
    ))}
    <Receive {...props} />
    <Cancel {...props} />
  </>
)

const Move = ({ action, transfer, from }: TransferProps & { readonly action: (typeof steps)[number] }) => {
  const { t } = useTranslation('transfers')
  const move = useSend('post', `/api/v1/transfers/{id}/${action}`)
  return (
    <Action
      main
      off={transfer.blocked_actions[action]}
      loading={move.isPending}
      onClick={() =>
        move.mutate(
          { path: { id: transfer.id } },
          { onSuccess: () => toastDone(t(`done.${action}`, { from })), onError: toastFailed },
        )
      }
    >
      {t(`action.${action}`, { from, count: piecesOf(transfer.items) })}
    </Action>
  )
}

const Receive = ({ transfer }: TransferProps) => {
  const { t } = useTranslation('transfers')
  const [isOpen, { open, close }] = useDisclosure()
  return (
    <>
      <Action main off={transfer.blocked_actions['receive']} onClick={open}>
        {t('action.receive')}
      </Action>
      {isOpen && <ReceiveTransfer transfer={transfer} close={close} />}
    </>
  )
}

const Cancel = ({ transfer, from }: TransferProps) => {
  const { t } = useTranslation('transfers')
  const [isOpen, { open, close }] = useDisclosure()
  return (
    <>
      <Action off={transfer.blocked_actions['cancel']} onClick={open}>
        {t('action.cancel')}
      </Action>
      {isOpen && (
        <CancelDialog
          kind="transfers"
          row={transfer}
          dispositions={transfer.status === 'in_transit' ? ['return', 'write_off'] : []}
          from={from}
          close={close}
        />
      )}
    </>
  )
}
