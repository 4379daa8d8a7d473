import { useTranslation } from 'react-i18next'
import type { Schema } from '#api/types.ts'
import { Ident } from '#ui/copy.tsx'
import { Link } from '#ui/link.tsx'
import { Time } from '#ui/time.tsx'
import { ChangeCode, ChangeObject } from './change-fact.tsx'
import { Code } from './code.tsx'
import classes from './error-reports.module.css'
import type { Names } from './names.ts'
import { placeTypeOf } from './sentence.ts'
import { labelOf } from './object-label.ts'

type Report = Schema<'ErrorReport'>

interface ReportFactsProps {
  readonly report: Report
  readonly names: Names
}

/** What a report is about, when it came, and what became of it. */
export const ReportFacts = ({ report, names }: ReportFactsProps) => {
  const { t } = useTranslation('error-reports')
  const { action_object_id: object, target_content_type: targetType, links } = report
  // The object of a place that nobody knows is the place above it.
  const place = placeTypeOf(names.modelOf(report.action_content_type))
  return (
    <section className="stack">
      <h3>{t('about')}</h3>
      <dl className={`facts ${classes['facts']}`}>
        <dt>{place === undefined ? names.kind(report.action_content_type) : t(`place_in.${place}`)}</dt>
        <dd>
          <ObjectLink shown={report.action} page={links.action} id={object} />{' '}
          <ChangeObject key={report.id} report={report} />
        </dd>
        {targetType !== null && (
          <>
            <dt>{t('target', { kind: names.kind(targetType) })}</dt>
            <dd>
              <ObjectLink
                shown={
                  names.modelOf(targetType) === 'channel'
                    ? { label: names.channel(Number(report.target_object_id)) }
                    : report.target
                }
                page={links.target}
                id={report.target_object_id ?? ''}
              />
            </dd>
          </>
        )}
        <dt>{t('code')}</dt>
        <dd>
          <Code code={report.error_code} /> <ChangeCode key={report.id} report={report} />
        </dd>
        <dt>{t('reported')}</dt>
        <dd>
          <Time at={report.created_date} as="moment" />
        </dd>
        <dt>{t('object_changed')}</dt>
        <dd>
          <Time at={report.obj_modified_date} as="moment" />
        </dd>
        <dt>{t('retries')}</dt>
        <dd>
          {report.retry_count === 0 ? t('never') : t('times', { count: report.retry_count })}
          {report.last_retry_date !== null && (
            <>
              , {t('last')} <Time at={report.last_retry_date} />
            </>
          )}
        </dd>
        {report.resolved_date !== null && <Resolved report={report} names={names} />}
      </dl>
    </section>
  )
}

const Resolved = ({ report, names }: ReportFactsProps) => {
  const { t } = useTranslation('error-reports')
  return (
    <>
      <dt>{t('closed_at')}</dt>
      <dd>
        <Time at={report.resolved_date} as="moment" />
        {report.resolved_by !== null && `, ${names.person(report.resolved_by)}`}
        {report.resolved_how !== null && `, ${t(`how.${report.resolved_how}`)}`}
      </dd>
    </>
  )
}

interface ObjectLinkProps {
  readonly shown: Readonly<Record<string, unknown>>
  readonly page: { readonly path: string } | null
  readonly id: string | number
}

/** An object by its label, as a link where the console has a page of it. */
const ObjectLink = ({ shown, page, id }: ObjectLinkProps) => {
  const label = labelOf(shown, id)
  const name = page === null ? label : <Link to={page.path}>{label}</Link>
  return label.includes(String(id)) ? (
    name
  ) : (
    <>
      {name} <Ident id={id} />
    </>
  )
}
