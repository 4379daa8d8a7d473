import { useTranslation } from 'react-i18next'
import { formatNumber } from '#ui/texts/format.ts'
import { Time } from '#ui/time.tsx'
import type { ReceiverHealth } from './sentence.ts'

const times = ['lastSuccessAt', 'lastFailureAt', 'failingSince', 'pausedUntil', 'holdUntil', 'nextProbeAt'] as const
const counts = ['pending', 'waiting', 'held', 'failed24h'] as const
const cappedNames = { pending: 'pending', waiting: 'waiting', held: 'held', failed24h: 'failed24h' } as const

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
          {capped.includes(cappedNames[name]) && '+'}
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
