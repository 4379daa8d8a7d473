import { useTranslation } from 'react-i18next'
import { Status } from '#ui/status.tsx'
import { formatDuration, formatNumber } from '#ui/texts/format.ts'
import { Time } from '#ui/time.tsx'
import { figures, outcomes, type PartName, type System } from './parts.ts'
import classes from './system.module.css'

interface PartProps {
  readonly name: PartName
  readonly system: System
}

/** One part: how it is, what that means, and the figures behind it. */
export const Part = ({ name, system }: PartProps) => {
  const { t } = useTranslation('system')
  const part = system[name]
  const own = figures[name](system, t)
  return (
    <section className={classes['part']} aria-label={t(`part.${name}`)}>
      <div>
        <h2>{t(`part.${name}`)}</h2>
        <Status outcome={outcomes[part.state]}>{t(`state.${part.state}`)}</Status>
      </div>
      <div className="stack">
        {/* What the server judges is said in English. */}
        <p lang="en">{part.text}</p>
        {own.length > 0 && (
          <dl className={classes['figures']}>
            {own.map(([figure, value]) => (
              <div key={figure}>
                <dt>{t(`figure.${figure}`)}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        )}
        <More name={name} system={system} />
      </div>
    </section>
  )
}

/** What some parts have besides figures. */
const More = ({ name, system }: PartProps) => {
  if (name === 'jobs') return <Queues queues={system.jobs.queues} />
  if (name === 'processes') return <Seen processes={system.processes.seen} />
  if (name === 'history') return <Weeks partitions={system.history.partitions} />
  if (name === 'invariants') return <Violations invariants={system.invariants} />
  return null
}

const Queues = ({ queues }: { readonly queues: System['jobs']['queues'] }) => {
  const { t } = useTranslation('system')
  const busy = queues.filter(({ waiting, active, failed }) => waiting + active + failed > 0)
  if (busy.length === 0) return null
  return (
    <table className="table">
      <thead>
        <tr>
          <th scope="col">{t('queue')}</th>
          <th scope="col" className="num">
            {t('figure.job_waiting')}
          </th>
          <th scope="col" className="num">
            {t('figure.job_active')}
          </th>
          <th scope="col" className="num">
            {t('figure.job_failed')}
          </th>
          <th scope="col" className="num wide">
            {t('figure.oldest')}
          </th>
        </tr>
      </thead>
      <tbody>
        {busy.map(({ queue, waiting, active, failed, oldest_seconds }) => (
          <tr key={queue}>
            <td className="mono">{queue}</td>
            <td className="num">{formatNumber(waiting)}</td>
            <td className="num">{formatNumber(active)}</td>
            <td className={failed > 0 ? 'num text-bad' : 'num'}>{formatNumber(failed)}</td>
            <td className="num wide">{formatDuration(oldest_seconds * 1_000)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const Seen = ({ processes }: { readonly processes: System['processes']['seen'] }) => {
  const { t } = useTranslation('system')
  if (processes.length === 0) return null
  return (
    <ul>
      {processes.map(({ id, works, seen_at }) => (
        <li key={id}>
          <code>{id}</code> · {t(works ? 'delivers' : 'answers')} ·{' '}
          <span className="muted">
            <Time at={seen_at} as="clock" />
          </span>
        </li>
      ))}
    </ul>
  )
}

const Weeks = ({ partitions }: { readonly partitions: System['history']['partitions'] }) => {
  const { t } = useTranslation('system')
  if (partitions.length === 0) return null
  return (
    <ul>
      {partitions.map(({ table, count }) => (
        <li key={table}>
          <code>{table}</code> <span className="muted">{t('weeks', { count })}</span>
        </li>
      ))}
    </ul>
  )
}

const Violations = ({ invariants }: { readonly invariants: System['invariants'] }) => {
  const { t } = useTranslation('system')
  return (
    <>
      <p className="muted">
        {t('checked')} <Time at={invariants.checked_at} />
      </p>
      {invariants.violations.length > 0 && (
        <ul>
          {invariants.violations.map(({ check, found, meaning }) => (
            <li key={check}>
              <code>{check}</code> <b className="text-bad">{formatNumber(found)}</b> <span lang="en">{meaning}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
