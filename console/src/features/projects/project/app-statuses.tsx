import { Menu } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Schema } from '#api/types.ts'
import { Action } from '#ui/action.tsx'
import { useGo } from '#ui/go.ts'
import { Status } from '#ui/status.tsx'
import { Time } from '#ui/time.tsx'
import classes from '../projects.module.css'
import { statusGroups } from './field-groups.ts'
import { pageOf, type ProjectPath } from './project-queries.ts'
import { environments, platforms } from './release-words.ts'

interface AppStatusesProps {
  readonly path: ProjectPath
  readonly statuses: Schema<'Project'>['appStatuses']
  /** Why the caller may not set them. */
  readonly off: string | undefined
}

/** What of an app is out, for each platform and environment. */
export const AppStatuses = ({ path, statuses, off }: AppStatusesProps) => {
  const { t } = useTranslation('projects')
  const known = platforms.flatMap((platform) =>
    environments.flatMap((environment) => {
      const status = statuses[platform]?.[environment]
      return status === undefined ? [] : [{ platform, environment, status }]
    }),
  )
  return (
    <section className="stack">
      <div className="flex between">
        <h2>{t('out.title')}</h2>
        <SetByHand path={path} off={off} />
      </div>
      {known.length === 0 && <p className="muted">{t('out.nothing')}</p>}
      <div className={classes['statuses']}>
        {known.map(({ platform, environment, status }) => (
          <div key={`${platform} ${environment}`} className={classes['status']}>
            <div className="muted">
              {t(`platform.${platform}`)}, {t(`environment.${environment}`)}
            </div>
            <div className="flex">
              <span className={classes['version']}>{status.storeVersion ?? status.envVersion ?? '–'}</span>
              {status.status !== undefined && (
                <Status outcome={status.status ? 'ok' : 'idle'}>{t(status.status ? 'out.on' : 'out.off')}</Status>
              )}
            </div>
            <div className="small muted">
              {isTime(status.publishedAt) ? <Time at={status.publishedAt} /> : status.publishedAt} {status.publisher}
            </div>
          </div>
        ))}
      </div>
    </section>
  )
}

/** Distributions that succeed set what is out; what came out some other way is set here. */
const SetByHand = ({ path, off }: Omit<AppStatusesProps, 'statuses'>) => {
  const { t } = useTranslation('projects')
  const go = useGo()
  if (off !== undefined) return <Action off={off}>{t('out.set')}</Action>
  return (
    <Menu>
      <Menu.Target>
        <Action>{t('out.set')}</Action>
      </Menu.Target>
      <Menu.Dropdown>
        {statusGroups.map((group) => (
          <Menu.Item key={group.id} onClick={() => go.push(`${pageOf(path)}/fields/${group.id}`)}>
            {group.name(t)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

/** Whoever sets a status by hand may have written any text. */
const isTime = (text: string | undefined): text is string => text !== undefined && !Number.isNaN(Date.parse(text))
