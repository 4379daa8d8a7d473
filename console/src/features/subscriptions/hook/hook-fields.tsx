import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { EventsPart } from './events-part.tsx'
import { FilterPart } from './filter-part.tsx'
import { errorOf, type PartProps } from './form-part.ts'
import { AuthPart, HeadersPart } from './receiver-part.tsx'
import { RetryPart } from './retry-part.tsx'
import { SendingPart, UrlPart } from './sending-part.tsx'
import classes from './hook.module.css'

/** Everything that makes a hook, in four steps: what, where, which of them, how. */
export const HookFields = (props: PartProps) => {
  const { t } = useTranslation('subscriptions')
  return (
    <ol className={classes['steps']}>
      <Step title={t('step.what')} about={t('step.what_why')}>
        <EventsPart {...props} />
      </Step>
      <Step title={t('step.where')}>
        <UrlPart {...props} />
      </Step>
      <Step title={t('step.which')} about={t('step.which_why')}>
        <FilterPart {...props} />
      </Step>
      <Step title={t('step.how')} about={t('step.how_why')}>
        <h3>{t('retry.title')}</h3>
        <RetryPart {...props} />
        <h3>{t('sending.title')}</h3>
        <SendingPart {...props} />
        <h3>{t('headers.title')}</h3>
        <HeadersPart
          headers={props.form.headers}
          change={props.change}
          error={errorOf(props.errors, 'additional_headers')}
        />
        <h3>{t('auth.title')}</h3>
        <AuthPart {...props} />
      </Step>
    </ol>
  )
}

interface StepProps {
  readonly title: string
  readonly about?: string
  readonly children: ReactNode
}

const Step = ({ title, about, children }: StepProps) => (
  <li className={classes['step']}>
    <section className="stack" aria-label={title}>
      <div>
        <h2>{title}</h2>
        {about !== undefined && <p className="muted">{about}</p>}
      </div>
      {children}
    </section>
  </li>
)
