import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '#api/api-error.ts'
import { listOf } from '#api/queries.ts'
import { Link } from '#ui/link.tsx'
import { PageTitle } from '#ui/page-title.tsx'
import { formatMoney } from '#ui/texts/format.ts'
import { Button } from '../parts/button.tsx'
import { Empty, Failed, Loaded, Notice, Refused } from '../parts/states.tsx'
import { Ago, useDue } from '../parts/time-words.tsx'
import { useBuyer } from '../queries.ts'
import { quotationOf, type Detail, type Quotation, type Status } from './queries.ts'
import { ReasonSheet } from './reason-sheet.tsx'
import { useDecision } from './use-decision.ts'
import classes from './quotations.module.css'

const waiting = listOf('/api/v1/my-quotations', { query: { scope: 'approvals', limit: 100, ordering: 'id' } })

/** What branches ask for and their main division has to let pass, the oldest first. */
export const ApprovalsPage = () => {
  const { t } = useTranslation('shop')
  const { isMain, division } = useBuyer()
  const query = useQuery({ ...waiting, enabled: isMain })
  const [decided, setDecided] = useState<Detail>()
  const [rejected, setRejected] = useState<Quotation>()
  const isForbidden = division !== undefined && !isMain
  return (
    <div className="stack">
      <PageTitle>{t('approvals.title')}</PageTitle>
      {isForbidden && <Failed error={new ApiError('', { status: 403 })} />}
      {decided !== undefined && (
        <Notice outcome={decided.status === 'pending' ? 'ok' : 'idle'} title={decided.name}>
          <p>
            {t(`approvals.decided.${outcomeOf(decided.status)}`)}{' '}
            <Link to={`/shop/quotations/${decided.id}?from=approvals`}>{t('approvals.open')}</Link>
          </p>
        </Notice>
      )}
      {isMain && (
        <Loaded query={query}>
          {({ rows, total }) =>
            total === 0 ? (
              <Empty title={t('approvals.empty')}>{t('approvals.empty_why')}</Empty>
            ) : (
              <ul className={classes['cards']}>
                {rows.map((quotation) => (
                  <Approval
                    key={quotation.id}
                    quotation={quotation}
                    onDecided={setDecided}
                    onReject={() => setRejected(quotation)}
                  />
                ))}
              </ul>
            )
          }
        </Loaded>
      )}
      {rejected !== undefined && (
        <Rejecting
          quotation={rejected}
          onDecided={(now) => {
            setRejected(undefined)
            setDecided(now)
          }}
          onClose={() => setRejected(undefined)}
        />
      )}
    </div>
  )
}

const outcomeOf = (status: Status): 'passed' | 'rejected' | 'other' => {
  if (status === 'pending') return 'passed'
  return status === 'rejected' ? 'rejected' : 'other'
}

interface RejectingProps {
  readonly quotation: Quotation
  readonly onDecided: (now: Detail) => void
  readonly onClose: () => void
}

/** Outlives the row, which goes when somebody else decides; so does this then. */
const Rejecting = ({ quotation, onDecided, onClose }: RejectingProps) => {
  const { data: now } = useQuery(quotationOf(quotation.id))
  const decision = useDecision(quotation, onDecided)
  useEffect(() => {
    if (now !== undefined && now.status !== quotation.status) onDecided(now)
  }, [now, quotation.status, onDecided])
  return <ReasonSheet action="reject" quotation={quotation} decision={decision} onClose={onClose} />
}

interface ApprovalProps {
  readonly quotation: Quotation
  readonly onDecided: (now: Detail) => void
  readonly onReject: () => void
}

const Approval = ({ quotation, onDecided, onReject }: ApprovalProps) => {
  const { t } = useTranslation('shop')
  const { decide, error, pending } = useDecision(quotation, onDecided)
  const due = useDue(quotation.expires_at)
  const { id, name, number, user, net_amount: amount, currency, created_at: at } = quotation
  return (
    <li className={classes['card']}>
      <div className="pair">
        <Link to={`/shop/quotations/${id}?from=approvals`} className={classes['name']}>
          {name}
        </Link>
        <span className="strong">{formatMoney(amount, currency)}</span>
        <span>
          {user.division.name} · {`${user.first_name} ${user.last_name}`.trim() || user.email}
        </span>
        <span className="muted">
          <Ago at={at} />
        </span>
        <span className={`small muted ${classes['whole']}`}>
          {[number, ...(due === undefined ? [] : [t('approvals.by', { due })])].join(' · ')}
        </span>
      </div>
      <Refused error={error} />
      <div className={classes['ends']}>
        <Button aria-label={t('approvals.reject_what', { name })} onClick={onReject}>
          {t('decide.reject')}
        </Button>
        <Button
          kind="main"
          isBusy={pending === 'approve-pending-request'}
          onClick={() => decide({ action: 'approve-pending-request' })}
        >
          {t('decide.let_pass', { amount: formatMoney(amount, currency) })}
        </Button>
      </div>
    </li>
  )
}
