import { useDisclosure } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import { Action } from '#ui/action.tsx'
import { toastDone } from '#ui/toast.tsx'
import { ApproveQuotation } from './approve-quotation.tsx'
import { isOrderMissing, steps, versionOf, type Quotation, type Step } from './quotation.ts'
import { RejectQuotation } from './reject-quotation.tsx'
import { ReopenQuotation } from './reopen-quotation.tsx'
import { SendQuotation } from './send-quotation.tsx'
import classes from './quotations.module.css'
import { useToldStale } from './use-told-stale.ts'

interface QuotationProps {
  readonly quotation: Quotation
}

interface ActionsProps extends QuotationProps {
  /** Whether its terms are edited and not saved: what is decided is decided of what is saved. */
  readonly isChanged: boolean
}

/** Why a step is not allowed; undefined when it is. */
const useOff = ({ allowed_actions: allowed, blocked_actions: blocked }: Quotation) => {
  const { t } = useTranslation('quotations')
  return (step: Step): string | undefined => (allowed.includes(step) ? undefined : (blocked[step] ?? t('off.role')))
}

/** What one can do with a quotation; what is not allowed says why, and once for all where nothing is. */
export const QuotationActions = ({ quotation, isChanged }: ActionsProps) => {
  const { t } = useTranslation('quotations')
  const off = useOff(quotation)
  const unsaved = isChanged ? t('off.unsaved') : undefined
  const [reason, ...others] = new Set(steps.map(off))
  return (
    <>
      {quotation.status === 'approved' ? (
        isOrderMissing(quotation) && (
          <Move step="create-orders" quotation={quotation} isMain={quotation.orders.length === 0} />
        )
      ) : (
        <ApproveQuotation quotation={quotation} off={off('approve') ?? unsaved} />
      )}
      <SendQuotation quotation={quotation} off={off('send-approval-request') ?? unsaved} />
      {quotation.status === 'expired' && <ReopenQuotation quotation={quotation} />}
      {quotation.status !== 'draft' && quotation.status !== 'expired' && (
        <Move step="set-as-draft" quotation={quotation} />
      )}
      <Reject quotation={quotation} />
      {reason !== undefined && others.length === 0 && <p className={`muted ${classes['off']}`}>{reason}</p>}
    </>
  )
}

interface MoveProps extends QuotationProps {
  readonly step: 'set-as-draft' | 'create-orders'
  readonly isMain?: boolean
}

const Move = ({ step, quotation, isMain = false }: MoveProps) => {
  const { t } = useTranslation('quotations')
  const move = useSend('post', `/api/v1/quotations/{id}/${step}`)
  const toldStale = useToldStale()
  const text = step === 'set-as-draft' && quotation.status === 'pending' ? 'edit' : step
  return (
    <Action
      main={isMain}
      off={useOff(quotation)(step)}
      loading={move.isPending}
      onClick={() =>
        move.mutate(
          { path: { id: quotation.id }, ifMatch: versionOf(quotation) },
          { onSuccess: () => toastDone(t(`done.${step}`)), onError: toldStale },
        )
      }
    >
      {t(`action.${text}`)}
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
