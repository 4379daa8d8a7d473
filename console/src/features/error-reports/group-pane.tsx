import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { recordOf } from '#api/queries.ts'
import type { Schema } from '#api/types.ts'
import { Link } from '#ui/link.tsx'
import type { Search } from '#ui/list/filters.ts'
import { PageTitle } from '#ui/page-title.tsx'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { useShortcut } from '#ui/shortcuts.ts'
import { Failed, Skeleton } from '#ui/states.tsx'
import { Status } from '#ui/status.tsx'
import { Time } from '#ui/time.tsx'
import { useIdParam } from '#ui/use-params.ts'
import { Code } from './code.tsx'
import { GroupActions } from './group-actions.tsx'
import { GroupNote } from './group-note.tsx'
import { GroupReports } from './group-reports.tsx'
import { useNames } from './names.ts'
import { Occurrences } from './occurrences.tsx'
import { sentenceOf } from './sentence.ts'
import { useUndoKey } from './undo.ts'
import classes from './error-reports.module.css'

type Group = Schema<'ErrorReportGroup'>

const groupOf = (id: number) => recordOf('/api/v1/error_report_groups/{id}', { path: { id } })

export const asks = ({ params }: Address): readonly AnyQuery[] => [groupOf(Number(params['id']))]

/** One cause: what it is, how often, what can be done, and its reports one by one. */
export const GroupPane = () => {
  const { t } = useTranslation('error-reports')
  const id = useIdParam()
  const { data: group, error, refetch } = useQuery(groupOf(id))
  const names = useNames()
  const search: Search = useSearch({ strict: false })
  const navigate = useNavigate()
  const pane = useRef<HTMLElement>(null)
  useUndoKey()
  useEffect(() => pane.current?.focus({ preventScroll: true }), [id])
  useShortcut('Escape', 'error-reports:keys.back', () => {
    void navigate({ to: '/error_report_groups', search: { ...search, report: undefined, reports: undefined } })
    document.querySelector<HTMLElement>(`[data-group="${id}"]`)?.focus()
  })
  return (
    <article
      className={classes['pane']}
      key={id}
      ref={pane}
      tabIndex={-1}
      aria-label={group === undefined ? t('title') : sentenceOf(group, names, t)}
    >
      <Link to="/error_report_groups" className={classes['back'] ?? ''}>
        ‹ {t('back')}
      </Link>
      {group === undefined && error !== null && <Failed error={error} retry={() => void refetch()} />}
      {group === undefined && error === null && <Skeleton lines={20} width="100%" />}
      {group !== undefined && (
        <>
          <Head group={group} />
          <Occurrences group={group} />
          <GroupNote key={`${group.id} ${group.note}`} group={group} />
          <GroupReports group={group} />
        </>
      )}
    </article>
  )
}

const Head = ({ group }: { readonly group: Group }) => {
  const { t } = useTranslation('error-reports')
  const names = useNames()
  return (
    <header className={classes['titleLine']}>
      <div>
        <PageTitle isBeside>{sentenceOf(group, names, t)}</PageTitle>
        <p className="muted">
          {names.channel(group.channel)} · <Code code={group.code_pattern} after=" · " />
          {names.kind(group.action_content_type)} · {t('reports_since', { count: group.count })}{' '}
          <Time at={group.first_seen} as="date" /> · {t('last')} <Time at={group.last_seen} />
        </p>
        <p className="flex wrap">
          <GroupState group={group} />
          <span className="muted">
            {t('open_reports', { count: group.open_count })}
            {group.assignee !== null && ` · ${t('with', { name: names.person(group.assignee) })}`}
          </span>
        </p>
      </div>
      <div className="flex wrap">
        <GroupActions group={group} />
      </div>
    </header>
  )
}

const GroupState = ({ group: { state, regressed_date: back } }: { readonly group: Group }) => {
  const { t } = useTranslation('error-reports')
  if (state === 'open') return <Status outcome="bad">{back === null ? t('state.open') : <CameBack at={back} />}</Status>
  return <Status outcome={state === 'resolved' ? 'ok' : 'idle'}>{t(`state.${state}`)}</Status>
}

const CameBack = ({ at }: { readonly at: string }) => {
  const { t } = useTranslation('error-reports')
  return (
    <>
      {t('tag.back')} · <Time at={at} />
    </>
  )
}
