import { Modal } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#api/api-error.ts'
import { useSend } from '#api/queries.ts'
import { Action } from '#ui/action.tsx'
import { formatMoney } from '#ui/texts/format.ts'
import { toastDone } from '#ui/toast.tsx'
import { versionOf, type Quotation } from './quotation.ts'
import { SplitBars } from './side/split-bars.tsx'
import { useSplit } from './side/use-split.ts'
import { useToldStale } from './use-told-stale.ts'
import { nameOf } from './words.ts'

interface SendProps {
  readonly quotation: Quotation
  /** Why it cannot be sent now. */
  readonly off: string | undefined
}

/** Sends the terms to the buyer after showing what they become, or reminds the buyer of those that were sent. */
export const SendQuotation = ({ quotation, off }: SendProps) => {
  const { t } = useTranslation('quotations')
  const [isOpen, { open, close }] = useDisclosure()
  const { id, number, status } = quotation
  const isReminder = status === 'sending_approval_request'
  const send = useSend('post', '/api/v1/quotations/{id}/send-approval-request')
  const toldStale = useToldStale()
  const now = (): void =>
    send.mutate(
      { path: { id }, ifMatch: versionOf(quotation) },
      {
        onSuccess: () => void toastDone(t(isReminder ? 'done.remind' : 'done.send-approval-request')),
        onError: (error: ApiError) => toldStale(error),
        onSettled: close,
      },
    )
  return (
    <>
      <Action
        main={status === 'draft'}
        off={off}
        loading={isReminder && send.isPending}
        onClick={isReminder ? now : open}
      >
        {t(isReminder ? 'action.remind' : 'action.send-approval-request')}
      </Action>
      <Modal opened={isOpen} onClose={close} title={t('send.title', { number })}>
        {isOpen && <What quotation={quotation} isPending={send.isPending} send={now} />}
      </Modal>
    </>
  )
}

interface WhatProps extends Pick<SendProps, 'quotation'> {
  readonly isPending: boolean
  readonly send: () => void
}

const What = ({ quotation, isPending, send }: WhatProps) => {
  const { t } = useTranslation('quotations')
  const orders = useSplit()
  const { user, net_amount: net, currency, items } = quotation
  const amount = formatMoney(net, currency)
  return (
    <div className="stack">
      <p>{t('send.what', { count: items.length, amount, who: nameOf(user) })}</p>
      <h3>{t('split.title', { count: orders.length })}</h3>
      <SplitBars orders={orders} />
      <div>
        <Action main loading={isPending} onClick={send}>
          {t('send.submit', { amount })}
        </Action>
      </div>
    </div>
  )
}
