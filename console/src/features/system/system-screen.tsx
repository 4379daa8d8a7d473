import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { recordOf } from '#api/queries.ts'
import { Link } from '#ui/link.tsx'
import { Notice } from '#ui/notice.tsx'
import { Page } from '#ui/page.tsx'
import type { AnyQuery } from '#ui/screen.ts'
import { Failed, Skeleton } from '#ui/states.tsx'
import { formatClock, formatDuration } from '#ui/texts/format.ts'
import { Part } from './part.tsx'
import { linksOf, outcomes, partNames, type PartName, type System } from './parts.ts'
import classes from './system.module.css'

/** It is looked at while something happens. */
const asked = { ...recordOf('/api/v1/system'), refetchInterval: 10_000 }

export const asks = (): readonly AnyQuery[] => [asked]

/** How the installation is: the verdict, what is not well with what to do about it, and then the rest. */
export const SystemScreen = () => {
  const { t } = useTranslation('system')
  const { data, error, refetch, dataUpdatedAt } = useQuery(asked)
  if (data === undefined)
    return (
      <Page title={t('title')}>
        {error === null ? <Skeleton lines={20} width="100%" /> : <Failed error={error} retry={() => void refetch()} />}
      </Page>
    )
  const urgent = partNames.filter((name) => data[name].state === 'bad')
  const unwell = partNames.filter((name) => data[name].state === 'warn')
  return (
    <Page
      title={t(`verdict.${data.state}`, { count: urgent.length === 0 ? unwell.length : urgent.length })}
      about={<About system={data} at={dataUpdatedAt} isOld={error !== null} />}
      request={{ url: '/api/v1/system' }}
    >
      <div className={`stack ${classes['system']}`}>
        {[...urgent, ...unwell].map((name) => (
          <Unwell key={name} name={name} system={data} />
        ))}
        <div className={classes['parts']}>
          {partNames.map((name) => (
            <Part key={name} name={name} system={data} />
          ))}
        </div>
      </div>
    </Page>
  )
}

interface AboutProps {
  readonly system: System
  /** When it was said, in milliseconds since 1970. */
  readonly at: number
  /** Whether the last time that it was asked for there was no answer. */
  readonly isOld: boolean
}

const About = ({ system, at, isOld }: AboutProps) => {
  const { t } = useTranslation('system')
  const time = formatClock(new Date(at))
  return (
    <>
      {t('about', {
        version: system.version,
        engine: t(`engine.${system.engine}`),
        role: t(`role.${system.role}`),
        uptime: formatDuration(system.uptime_seconds * 1_000),
      })}{' '}
      <span className={isOld ? 'text-bad' : undefined}>{t(isOld ? 'old' : 'read_at', { time })}</span>
    </>
  )
}

interface UnwellProps {
  readonly name: PartName
  readonly system: System
}

const Unwell = ({ name, system }: UnwellProps) => {
  const { t } = useTranslation('system')
  const { state, text } = system[name]
  const links = linksOf(name, system)
  return (
    <Notice outcome={outcomes[state]} title={t(`part.${name}`)}>
      <p lang="en">{text}</p>
      {links.length > 0 && (
        <p className="flex">
          {links.map(([key, to]) => (
            <Link key={key} to={to}>
              {t(`go.${key}`)}
            </Link>
          ))}
        </p>
      )}
    </Notice>
  )
}
