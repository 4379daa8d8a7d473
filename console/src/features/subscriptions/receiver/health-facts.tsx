import { useTranslation } from 'react-i18next'
import { formatNumber } from '#ui/texts/format.ts'
import { Time } from '#ui/time.tsx'
import type { ReceiverHealth } from './sentence.ts'

const times = ['lastSuccessAt', 'lastFailureAt', 'failingSince', 'pausedUntil', 'holdUntil', 'nextProbeAt'] as const
// What failed for good stands in the chart, by when it was made.
const counts = ['pending', 'waiting', 'held'] as const

/** When it last answered, what happens next, and how much waits. What there is nothing of is left out. */
export const HealthFacts = ({ health }: { readonly health: ReceiverHealth }) => {
  const { t } = useTranslation('subscriptions')
  const capped: readonly string[] = health.capped
  return (
    <dl className="facts">
      {times
        .filter((name) => health[name] !== null)
        .map((name) => (
          <Fact key={name} name={t(`facts.${name}`)}>
            <Time at={health[name]} />
          </Fact>
        ))}
      {counts.map((name) => (
        <Fact key={name} name={t(`facts.${name}`)}>
          {formatNumber(health[name])}
          {capped.includes(name) && '+'}
        </Fact>
      ))}
    </dl>
  )
}

const Fact = ({ name, children }: { readonly name: string; readonly children: React.ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
)
