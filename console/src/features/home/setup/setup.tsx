import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { listOf } from '#api/queries.ts'
import type { Schema } from '#api/types.ts'
import { NewSubscription } from './new-subscription.tsx'
import { Subscribed } from './subscribed.tsx'
import { Signature } from './signature.tsx'
import { TestEvent } from './test-event.tsx'
import { Result } from './result.tsx'
import classes from '../home.module.css'

const firstHook = listOf('/whisperer/hooks', { query: { limit: 1 } })
const lastDelivery = (isDelivered: boolean) =>
  listOf('/whisperer/hook_events', { query: { limit: 1, ...(isDelivered && { status: 'delivered' }) } })

/** The way of a new installation to its first delivered event. It stays until the page is left after it was gone. */
export const Setup = ({ setup }: { readonly setup: Schema<'Setup'> }) => {
  const [wasOpen] = useState(!setup.has_delivered_event)
  return wasOpen ? <Steps setup={setup} /> : null
}

const Steps = ({ setup }: { readonly setup: Schema<'Setup'> }) => {
  const { t } = useTranslation('home')
  const [secret, keep] = useState<string>()
  const [wasLookedAt, setLookedAt] = useState(false)
  const hook = useQuery(firstHook).data?.rows[0]
  const last = useQuery(lastDelivery(false)).data?.rows[0]
  const delivered = useQuery(lastDelivery(true)).data?.rows[0]
  const isDelivered = setup.has_delivered_event || delivered !== undefined
  return (
    <section aria-labelledby="setup">
      <h2 id="setup">{t('setup.title')}</h2>
      <p className="muted">{t('setup.why')}</p>
      <ol className={classes['steps']}>
        <Step at={1} isDone={setup.has_subscription || hook !== undefined} title={t('setup.subscribe.title')}>
          {hook === undefined ? <NewSubscription onMade={keep} /> : <Subscribed hook={hook} secret={secret} />}
        </Step>
        <Step at={2} isDone={last !== undefined} title={t('setup.raise.title')}>
          <TestEvent hookId={hook?.id} isAgain={last !== undefined} />
        </Step>
        <Step at={3} isDone={isDelivered} title={t('setup.delivered.title')}>
          <Result last={last} delivered={delivered} />
        </Step>
        <Step at={4} isDone={wasLookedAt} title={t('setup.signature.title')}>
          {delivered !== undefined && <Signature id={delivered.id} onLook={() => setLookedAt(true)} />}
        </Step>
      </ol>
    </section>
  )
}

interface StepProps {
  readonly at: number
  readonly isDone: boolean
  readonly title: string
  readonly children: ReactNode
}

const Step = ({ at, isDone, title, children }: StepProps) => {
  const { t } = useTranslation('home')
  return (
    <li className={classes['step']} data-done={isDone || undefined}>
      <span className={classes['mark']} aria-hidden="true">
        {isDone ? '✓' : at}
      </span>
      <h3>
        {title}
        {isDone && <span className="visually-hidden"> {t('setup.done')}</span>}
      </h3>
      {children}
    </li>
  )
}
