import { NumberInput, Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatDuration } from '#ui/texts/format.ts'
import { errorOf, type PartProps } from './form-part.ts'
import { defaultKwargs, optionalKwargs, retryTimes, usualAttempts, type Choice } from './retry-times.ts'
import classes from './hook.module.css'

const choices: readonly Choice[] = ['exponential', 'linear', 'fixed', 'random']

/** When a delivery that failed is tried again, with the times that come of it. */
export const RetryPart = ({ form, change, errors }: PartProps) => {
  const { t } = useTranslation('subscriptions')
  const wrong = errorOf(errors, 'retry_countdown_config')
  const names = Object.keys(defaultKwargs[form.choice])
  return (
    <div className="stack">
      <div className={classes['fields']}>
        <Select
          label={t('retry.choice')}
          allowDeselect={false}
          data={choices.map((value) => ({ value, label: t(`retry.choices.${value}`) }))}
          value={form.choice}
          onChange={(next) => change({ choice: next as Choice, kwargs: defaultKwargs[next as Choice] })}
        />
        {names.map((name) => (
          <NumberInput
            key={name}
            label={t(`retry.kwargs.${name}`)}
            min={0}
            max={604_800}
            allowDecimal={false}
            required={!optionalKwargs.has(name)}
            value={form.kwargs[name] ?? ''}
            onChange={(next) => change({ kwargs: { ...form.kwargs, [name]: next === '' ? undefined : Number(next) } })}
          />
        ))}
        <NumberInput
          label={t('retry.attempts')}
          placeholder={String(usualAttempts)}
          min={1}
          max={100}
          allowDecimal={false}
          value={form.maxAttempts ?? ''}
          onChange={(next) => change({ maxAttempts: next === '' ? undefined : Number(next) })}
        />
      </div>
      {wrong !== undefined && <p className="text-bad">{wrong}</p>}
      <Timeline form={form} />
    </div>
  )
}

/** The tries as marks on a line; the nearer ones are drawn apart by a scale of roots. */
const Timeline = ({ form: { choice, kwargs, maxAttempts } }: Pick<PartProps, 'form'>) => {
  const { t } = useTranslation('subscriptions')
  const attempts = maxAttempts ?? usualAttempts
  const times = retryTimes(choice, kwargs, attempts)
  const last = times.at(-1) ?? 0
  const words = times.slice(0, 5).map((seconds) => formatDuration(seconds * 1_000))
  return (
    <figure className="stack">
      <svg className={classes['timeline']} viewBox="-1 0 102 10" preserveAspectRatio="none" aria-hidden="true">
        <path d="M0 5H100" />
        <g>
          {[0, ...times].map((seconds, index) => (
            <path
              key={index}
              d={`M${last === 0 ? 0 : Math.sqrt(seconds / last) * 100} ${index === 0 ? '0V10' : '2V8'}`}
            />
          ))}
        </g>
      </svg>
      <figcaption>
        {times.length === 0
          ? t('retry.once')
          : t('retry.times', { first: words.join(', '), count: attempts, last: formatDuration(last * 1_000) })}{' '}
        <span className="muted">{t(`retry.chance.${choice}`)}</span>
      </figcaption>
    </figure>
  )
}
