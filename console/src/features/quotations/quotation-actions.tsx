import { useDisclosure } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import { Action } from '#ui/action.tsx'
import { toastDone } from '#ui/toast.tsx'
import { ApproveQuotation } from './approve-quotation.tsx'
import { isOrderMissing, steps, versionOf, type Quotation, type Step } from './quotation.ts'
import { RejectQuotation } from './reject-quotation.tsx'
import classes from './quotations.module.css'
import { useToldStale } from './use-told-stale.ts'

interface QuotationProps {
  readonly quotation: Quotation
}

/** Why a step is not allowed; undefined when it is. */
const useOff = ({ allowed_actions: allowed, blocked_actions: blocked }: Quotation) => {
  const { t } = useTranslation('quotations')
  return (step: Step): string | undefined => (allowed.includes(step) ? undefined : (blocked[step] ?? t('off.role')))
}

/** What one can do with a quotation; what is not allowed says why, and once for all where nothing is. */
export const QuotationActions = ({ quotation }: QuotationProps) => {
  const off = useOff(quotation)
  const [reason, ...others] = new Set(steps.map(off))
  return (
    <>
      {quotation.status === 'approved' ? (
        isOrderMissing(quotation) && (
          <Move step="create-orders" quotation={quotation} isMain={quotation.orders.length === 0} />
        )
      ) : (
        <ApproveQuotation quotation={quotation} off={off('approve')} />
      )}
      <Move step="send-approval-request" quotation={quotation} />
      <Move step="set-as-draft" quotation={quotation} />
      <Reject quotation={quotation} />
      {reason !== undefined && others.length === 0 && <p className={`muted ${classes['off']}`}>{reason}</p>}
    </>
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
      off={useOff(quotation)(step)}
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
      <Action off={useOff(quotation)('reject')} onClick={open}>
        {t('action.reject')}
      </Action>
      {isOpen && <RejectQuotation quotation={quotation} close={close} />}
    </>
  )
}
