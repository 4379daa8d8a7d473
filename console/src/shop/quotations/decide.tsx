import { useTranslation } from 'react-i18next'
import { formatMoney } from '#ui/texts/format.ts'
import { Button } from '../parts/button.tsx'
import { Notice, Refused } from '../parts/states.tsx'
import { useOff } from './off.ts'
import type { Detail } from './queries.ts'
import type { useDecision } from './use-decision.ts'
import classes from './quotations.module.css'

interface DecideProps {
  readonly quotation: Detail
  readonly decision: ReturnType<typeof useDecision>
}

/** The two ways on at the lower edge: only while it is the reader's turn. */
export const Decide = ({ quotation, decision, onReject }: DecideProps & { readonly onReject: () => void }) => {
  const { t } = useTranslation('shop')
  const off = useOff(quotation)
  const { status, allowed_actions: allowed, net_amount: amount, currency } = quotation
  const yes = status === 'request_approval' ? 'approve-pending-request' : 'approve'
  // What is approved could be approved once more, to no effect.
  const isAsked = status === 'sending_approval_request' || status === 'request_approval'
  const isTurn = isAsked && (allowed.includes(yes) || (yes === 'approve' && yes in quotation.blocked_actions))
  if (!isTurn) return null
  const reason = off(yes)
  const money = formatMoney(amount, currency)
  return (
    <div className={classes['decide']} data-action-bar data-screen-only>
      {decision.error !== null && <Refused error={decision.error} />}
      <div className={classes['ends']}>
        <Button off={off('reject')} onClick={onReject}>
          {t('decide.reject')}
        </Button>
        <Button
          kind="main"
          off={reason}
          isBusy={decision.pending === yes}
          onClick={() => decision.decide({ action: yes })}
        >
          {yes === 'approve' ? t('decide.approve', { amount: money }) : t('decide.let_pass', { amount: money })}
        </Button>
      </div>
    </div>
  )
}

/** What came in between, where somebody decided on what is another thing by now. */
export const BetweenNotice = ({ quotation, decision: { between } }: DecideProps) => {
  const { t } = useTranslation('shop')
  if (between === undefined) return null
  if (between.kind === 'taken')
    return (
      <Notice outcome="idle" title={t(`taken.${between.status}`)}>
        {t('taken.why')}
      </Notice>
    )
  const { net_amount: amount, currency } = quotation
  return (
    <Notice
      title={t('stale.title', { amount: formatMoney(amount, currency), before: formatMoney(between.amount, currency) })}
    >
      <p>{t('stale.why')}</p>
    </Notice>
  )
}
