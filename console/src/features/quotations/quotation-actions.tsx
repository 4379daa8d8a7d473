import { useDisclosure } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import { Action } from '#ui/action.tsx'
import { formatMoney } from '#ui/texts/format.ts'
import { toastDone } from '#ui/toast.tsx'
import { versionOf, type Quotation } from './quotation.ts'
import { RejectQuotation } from './reject-quotation.tsx'
import { useToldStale } from './use-told-stale.ts'

interface QuotationProps {
  readonly quotation: Quotation
}

type Step = Quotation['allowed_actions'][number]

/** Why a step is not allowed; undefined when it is. */
const useOff = ({ allowed_actions: allowed, blocked_actions: blocked }: Quotation, step: Step): string | undefined => {
  const { t } = useTranslation('quotations')
  return allowed.includes(step) ? undefined : (blocked[step] ?? t('off.role'))
}

/** What one can do with a quotation; what is not allowed says why. */
export const QuotationActions = ({ quotation }: QuotationProps) => (
  <>
    {quotation.status === 'approved' ? (
      <Move step="create-orders" quotation={quotation} isMain={quotation.orders.length === 0} />
    ) : (
      <Approve quotation={quotation} />
    )}
    <Move step="send-approval-request" quotation={quotation} />
    <Move step="set-as-draft" quotation={quotation} />
    <Reject quotation={quotation} />
    {quotation.status !== 'approved' && <Move step="create-orders" quotation={quotation} />}
  </>
)

/** The amount stands in the button, because an approval is not taken back; nothing happens when it is another by now. */
const Approve = ({ quotation }: QuotationProps) => {
  const { t } = useTranslation('quotations')
  const approve = useSend('post', '/api/v1/quotations/{id}/approve')
  const toldStale = useToldStale()
  const { id, revision, net_amount: net, currency, status } = quotation
  const send = (): void =>
    approve.mutate(
      { path: { id }, ifMatch: versionOf(quotation), body: { revision, confirm_zero: Number(net) === 0 } },
      { onSuccess: () => toastDone(t('done.approve')), onError: toldStale },
    )
  return (
    <Action
      main={status === 'pending' || status === 'draft'}
      off={useOff(quotation, 'approve')}
      loading={approve.isPending}
      onClick={send}
    >
      {t('action.approve', { amount: formatMoney(net, currency) })}
    </Action>
  )
}

interface MoveProps extends QuotationProps {
  readonly step: 'send-approval-request' | 'set-as-draft' | 'create-orders'
  readonly isMain?: boolean
}

const Move = ({ step, quotation, isMain = false }: MoveProps) => {
  const { t } = useTranslation('quotations')
  const move = useSend('post', `/api/v1/quotations/{id}/${step}`)
  const toldStale = useToldStale()
  const isReminder = step === 'send-approval-request' && quotation.status === 'sending_approval_request'
  return (
    <Action
      main={isMain}
      off={useOff(quotation, step)}
      loading={move.isPending}
      onClick={() =>
        move.mutate(
          { path: { id: quotation.id }, ifMatch: versionOf(quotation) },
          { onSuccess: () => toastDone(t(isReminder ? 'done.remind' : `done.${step}`)), onError: toldStale },
        )
      }
    >
      {t(isReminder ? 'action.remind' : `action.${step}`)}
    </Action>
  )
}

const Reject = ({ quotation }: QuotationProps) => {
  const { t } = useTranslation('quotations')
  const [isOpen, { open, close }] = useDisclosure()
  return (
    <>
      <Action off={useOff(quotation, 'reject')} onClick={open}>
        {t('action.reject')}
      </Action>
      {isOpen && <RejectQuotation quotation={quotation} close={close} />}
    </>
  )
}
