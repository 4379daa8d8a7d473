import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { auditOf, mayDecide, type Quotation } from '../quotation.ts'
import classes from '../workspace.module.css'

type StepName = 'asked' | 'head_office' | 'terms' | 'buyer' | 'orders'
type StepState = 'done' | 'now' | 'ended' | 'next'

/** Where each status stands on the way. */
const stepOf: Readonly<Record<Quotation['status'], StepName | undefined>> = {
  request_approval: 'head_office',
  pending: 'terms',
  draft: 'terms',
  sending_approval_request: 'buyer',
  approved: 'orders',
  rejected: undefined,
  cancelled: undefined,
  expired: undefined,
}

/** The way of a quotation from the basket to its orders, and where it is. The head office is on it where it is asked. */
export const Steps = ({ quotation }: { readonly quotation: Quotation }) => {
  const { t } = useTranslation('quotations')
  const { data: audit } = useQuery(auditOf(quotation.id))
  const { status, orders, sent_at: sent } = quotation
  const isAgreed = audit?.rows.some(({ action }) => action === 'approve-pending-request') === true
  const hasOffice = isAgreed || status === 'request_approval'
  const names = (['asked', 'head_office', 'terms', 'buyer', 'orders'] as const).filter(
    (name) => name !== 'head_office' || hasOffice,
  )
  const here = stepOf[status] ?? (sent === null ? 'terms' : 'buyer')
  const isOver = stepOf[status] === undefined
  const isAllDone = status === 'approved' && orders.length > 0 && orders.every((order) => order.status === 'created')
  const stateOf = (name: StepName): StepState => {
    const [place, at] = [names.indexOf(name), names.indexOf(here)]
    if (place < at || isAllDone) return 'done'
    if (place > at) return 'next'
    return isOver ? 'ended' : 'now'
  }
  const wordsOf = (name: StepName) =>
    name === 'terms' && !mayDecide(quotation) ? 'steps.terms_others' : (`steps.${name}` as const)
  return (
    <ol className={classes['steps']} aria-label={t('steps.label')}>
      {names.map((name) => {
        const state = stateOf(name)
        return (
          <li key={name} data-state={state} aria-current={state === 'now' ? 'step' : undefined}>
            {t(state === 'done' && name !== 'asked' ? `steps.${name}_done` : wordsOf(name))}
            {state === 'ended' && ` · ${t(`status.${status}`)}`}
          </li>
        )
      })}
    </ol>
  )
}
