import { useTranslation } from 'react-i18next'
import type { Schema } from '#api/types.ts'
import { Link } from '#ui/link.tsx'
import { Status, type Outcome } from '#ui/status.tsx'
import { formatNumber } from '#ui/texts/format.ts'
import classes from './home.module.css'

type Need = Schema<'Need'>

/** What is broken comes before what waits. */
const broken = /failing|switched_off|regressed|failed|given_up/
const outcomeOf = ({ kind }: Need): Outcome => (broken.test(kind) ? 'bad' : 'wait')

/** All that is subscribed is in one list here, whatever the API has it below. */
const ofSubscriptions = (kind: string, health: string): string => `/subscriptions?kind=${kind}&health=${health}`
const lists: Partial<Record<Need['kind'], string>> = {
  hooks_failing: ofSubscriptions('hook', 'failing'),
  hooks_switched_off: ofSubscriptions('hook', 'disabled'),
  webhooks_failing: ofSubscriptions('project_webhook', 'failing'),
  webhooks_switched_off: ofSubscriptions('project_webhook', 'disabled'),
  flows_failing: ofSubscriptions('flow', 'failing'),
  flows_switched_off: ofSubscriptions('flow', 'disabled'),
}

/** What needs somebody: a sentence with a count each, which leads to the list of just these. */
export const Needs = ({ needs }: { readonly needs: readonly Need[] }) => {
  const { t } = useTranslation('home')
  if (needs.length === 0) return <p className="muted">{t('nothing_why')}</p>
  const sorted = needs.toSorted((one, other) => outcomeOf(one).localeCompare(outcomeOf(other)))
  return (
    <ul className={classes['needs']}>
      {sorted.map((need) => (
        <li key={need.kind}>
          <Link to={lists[need.kind] ?? need.path}>
            <Status outcome={outcomeOf(need)}>
              {formatNumber(need.count)}
              {need.is_more && '+'}
            </Status>
            <span>{t(`need.${need.kind}`, { count: need.count })}</span>
            <span aria-hidden="true" className={classes['go']}>
              ›
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
