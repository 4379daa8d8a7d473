import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { formatMoney } from '#ui/texts/format.ts'
import { compare, distance } from '../parts/money.ts'
import { useAgo, useDue } from '../parts/time-words.tsx'
import { revisionsOf, type Detail } from './queries.ts'
import { stepsOf, turnOf, type Part } from './turn.ts'
import { useTurnWords } from './turn-words.ts'
import classes from './quotations.module.css'

interface TurnCardProps {
  readonly quotation: Detail
  readonly part: Part
  /** Whether a main division stands above the one that asked. */
  readonly isOfBranch: boolean
}

/** Whose turn it is and by when, what happened last, and how far it has come. */
export const TurnCard = ({ quotation, part, isOfBranch }: TurnCardProps) => {
  const { t } = useTranslation('shop')
  const words = useTurnWords(quotation, part)
  const { actor } = turnOf(quotation.status, part)
  return (
    <section
      className={classes['turn']}
      data-actor={actor}
      data-status={quotation.status}
      aria-label={t('turn.title')}
      aria-live="polite"
    >
      <p className="big">{words}</p>
      <Last quotation={quotation} part={part} />
      <ol className={classes['steps']} aria-label={t('step.title')}>
        {stepsOf(quotation, isOfBranch).map(({ name, state }) => (
          <li key={name} data-state={state} aria-current={state === 'now' ? 'step' : undefined}>
            {t(`step.${name}`)}
            {state === 'done' && <span className="visually-hidden"> ({t('step.done')})</span>}
          </li>
        ))}
      </ol>
    </section>
  )
}

type LastProps = Pick<TurnCardProps, 'quotation' | 'part'>

/** What happened last, in a sentence. */
const Last = ({ quotation, part }: LastProps) => {
  const { t } = useTranslation('shop')
  const due = useDue(quotation.expires_at)
  const { status, reason, orders } = quotation
  if (reason !== null) return <Reason reason={reason} />
  if (status === 'approved') return <p>{t('turn.orders', { count: orders.length })}</p>
  if (status === 'expired') return due === undefined ? null : <p>{t('turn.expired_why', { due })}</p>
  return status === 'sending_approval_request' ? (
    <Offer quotation={quotation} part={part} />
  ) : (
    <Since quotation={quotation} />
  )
}

/** Who said no, and why. */
const Reason = ({ reason: { text, by, at } }: { readonly reason: NonNullable<Detail['reason']> }) => {
  const { t } = useTranslation('shop')
  const ago = useAgo(at)
  const name = `${by.first_name} ${by.last_name}`.trim() || by.email
  return (
    <>
      {text !== '' && <blockquote className={classes['reason']}>{text}</blockquote>}
      <p className="muted">{t('turn.by_whom', { name, ago })}</p>
    </>
  )
}

/** How the offer compares with what was asked for. */
const Offer = ({ quotation, part }: LastProps) => {
  const { t } = useTranslation('shop')
  const { id, sent_at: sentAt, modified_at: changedAt, net_amount: amount, currency } = quotation
  const ago = useAgo(sentAt ?? changedAt)
  const asked = useQuery(revisionsOf(id)).data?.results[0]?.net_amount
  if (asked === undefined) return <p>{t('turn.offer', { ago })}</p>
  const key = ['turn.offer_lower', 'turn.offer_same', 'turn.offer_higher'][compare(amount, asked) + 1] ?? 'turn.offer'
  return <p>{t(key, { context: part, ago, distance: formatMoney(distance(amount, asked), currency) })}</p>
}

const Since = ({ quotation: { status, modified_at: at } }: Pick<LastProps, 'quotation'>) => {
  const { t } = useTranslation('shop')
  return <p>{t(`turn.why.${status}`, { ago: useAgo(at) })}</p>
}
