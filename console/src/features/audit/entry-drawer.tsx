import { useTranslation } from 'react-i18next'
import { ApiError } from '#api/api-error.ts'
import { Ident } from '#ui/copy.tsx'
import { Drawer } from '#ui/drawer.tsx'
import { Link } from '#ui/link.tsx'
import { useList } from '#ui/list/use-list.ts'
import { Time } from '#ui/time.tsx'
import { useIdParam } from '#ui/use-params.ts'
import { actionOf } from './action.ts'
import { audit, type Entry } from './audit-list.ts'
import { Changes } from './changes-table.tsx'

/** One entry, read from the page of the list that it is on: the API answers entries by the page alone. */
export const EntryDrawer = () => {
  const { t } = useTranslation('audit')
  const id = useIdParam()
  const { result } = useList(audit)
  const entry = result.data?.rows.find((one) => one.id === id)
  const missing = result.data === undefined ? null : new ApiError(t('elsewhere'), { status: 404 })
  return (
    <Drawer
      closeTo="/audit"
      ident={<Ident id={id} />}
      title={
        entry === undefined
          ? undefined
          : t('did', { who: entry.user?.email ?? t('nobody'), action: actionOf(entry, t) })
      }
      about={entry && `${entry.action} · ${entry.surface}`}
      error={result.error ?? missing}
    >
      {entry !== undefined && (
        <>
          <Facts entry={entry} />
          <section className="stack">
            <h3>{t('changes')}</h3>
            <Changes entry={entry} />
          </section>
        </>
      )}
    </Drawer>
  )
}

const Facts = ({ entry }: { readonly entry: Entry }) => {
  const { t } = useTranslation('audit')
  return (
    <dl className="facts">
      <dt>{t('field.created_at')}</dt>
      <dd>
        <Time at={entry.created_at} as="moment" />
      </dd>
      <dt>{t('field.user')}</dt>
      <dd>{entry.user === null ? t('nobody') : <Link to={`/users/${entry.user.id}`}>{entry.user.email}</Link>}</dd>
      <dt>{t('field.object')}</dt>
      <dd>
        {entry.object_type} {entry.object_id}{' '}
        {entry.object_id !== null && (
          <Link to={`/audit?object_type=${encodeURIComponent(entry.object_type)}&object_id=${entry.object_id}`}>
            {t('same_object')}
          </Link>
        )}
      </dd>
      <dt>{t('field.request_id')}</dt>
      <dd>{entry.request_id === null ? '–' : <Ident id={entry.request_id} />}</dd>
    </dl>
  )
}
