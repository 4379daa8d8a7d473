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

interface ApproveProps {
  readonly quotation: Quotation
  /** Why it cannot be approved now. */
  readonly off: string | undefined
}

/** Approves after a question, because an approval is not taken back; nothing happens when the amount is another by now. */
export const ApproveQuotation = ({ quotation, off }: ApproveProps) => {
  const { t } = useTranslation('quotations')
  const [isOpen, { open, close }] = useDisclosure()
  const { number, net_amount: net, currency, status } = quotation
  return (
    <>
      <Action main={status === 'pending'} off={off} onClick={open}>
        {t('action.approve', { amount: formatMoney(net, currency) })}
      </Action>
      <Modal opened={isOpen} onClose={close} title={t('approve.title', { number })}>
        <Question quotation={quotation} close={close} />
      </Modal>
    </>
  )
}

interface QuestionProps extends Pick<ApproveProps, 'quotation'> {
  readonly close: () => void
}

const Question = ({ quotation, close }: QuestionProps) => {
  const { t } = useTranslation('quotations')
  const approve = useSend('post', '/api/v1/quotations/{id}/approve')
  const toldStale = useToldStale()
  const { id, revision, net_amount: net, currency, items, user } = quotation
  const amount = formatMoney(net, currency)
  const approved = (): void => {
    toastDone(t('done.approve'))
    close()
  }
  const refused = (error: ApiError): void => {
    toldStale(error)
    close()
  }
  const send = (): void =>
    approve.mutate(
      { path: { id }, ifMatch: versionOf(quotation), body: { revision, confirm_zero: Number(net) === 0 } },
      { onSuccess: approved, onError: refused },
    )
  return (
    <div className="stack">
      <p>{t('approve.what', { count: items.length, amount, division: user.division.name })}</p>
      <p className="muted">{t('approve.why')}</p>
      <SplitBars orders={useSplit()} />
      <div>
        <Action main loading={approve.isPending} onClick={send}>
          {t('approve.submit', { amount })}
        </Action>
      </div>
    </div>
  )
}
