import { useTranslation } from 'react-i18next'
import type { LiveItems } from '#api/live.ts'
import type { Schema } from '#api/types.ts'
import { Link } from '#ui/link.tsx'
import { useNow } from '#ui/now.ts'
import { formatNumber } from '#ui/texts/format.ts'
import { Time } from '#ui/time.tsx'
import { Bars } from './bars.tsx'
import type { Names } from './names.ts'
import { sentenceOf } from './sentence.ts'
import classes from './error-reports.module.css'

type Group = Schema<'ErrorReportGroup'>

interface GroupRowProps {
  readonly group: Group
  /** What the stream said of it since the list was read. */
  readonly live: LiveItems['error_report'] | undefined
  readonly names: Names
  readonly to: string
  readonly isOpen: boolean
}

/** One group of the list: what, how often, where, when last, and its last fourteen days. */
export const GroupRow = ({ group, live, names, to, isOpen }: GroupRowProps) => {
  const { t } = useTranslation('error-reports')
  const count = live?.count ?? group.count
  const more = count - group.count
  const assignee = live === undefined ? group.assignee : live.assignee
  return (
    <Link to={to} className={classes['row']} aria-current={isOpen ? 'true' : undefined} data-group={group.id}>
      <span className={classes['rowLine']}>
        <span className={classes['rowTitle']}>{sentenceOf(group, names, t)}</span>
        <span className="num strong">{formatNumber(count)}</span>
      </span>
      <span className={classes['rowLine']}>
        <span className={`small muted ${classes['rowWhere']}`}>
          <Tag group={group} state={live?.state ?? group.state} />{' '}
          {more > 0 && <span className={classes['more']}>{t('more', { count: more })} </span>}
          <Time at={live?.last_seen ?? group.last_seen} /> · {names.channel(group.channel)}
          {assignee !== null && ` · ${names.person(assignee)}`}
        </span>
        <span className={classes['spark']}>
          <Bars
            values={group.activity}
            width={70}
            height={18}
            label={t('activity', { count: group.activity.reduce((sum, one) => sum + one, 0) })}
          />
        </span>
      </span>
    </Link>
  )
}

const dayMs = 86_400_000

/** Whether it is new, has come back, or is not open any more. */
const Tag = ({ group, state }: { readonly group: Group; readonly state: string }) => {
  const { t } = useTranslation('error-reports')
  const now = useNow()
  if (state !== 'open') return <span className={classes['tag']}>{t(`state.${state}`)}</span>
  if (group.regressed_date !== null)
    return (
      <span className={classes['tag']} data-tag="back">
        {t('tag.back')}
      </span>
    )
  if (now.getTime() - new Date(group.first_seen).getTime() > dayMs) return null
  return (
    <span className={classes['tag']} data-tag="new">
      {t('tag.new')}
    </span>
  )
}
