import { useTranslation } from 'react-i18next'
import type { Entry } from './audit-list.ts'
import { changesOf, couldBeBefore } from './changes.ts'
import classes from './audit.module.css'

/** Field by field, what was there before and what was sent. */
export const Changes = ({ entry }: { readonly entry: Entry }) => {
  const { t } = useTranslation('audit')
  const changes = changesOf(entry)
  if (changes.length === 0) return <p className="muted">{t('nothing_sent')}</p>
  const isKnown = entry.before !== null
  return (
    <>
      <dl className={classes['changes']}>
        {changes.map(({ name, before, after, isSame }) => (
          <div key={name}>
            <dt className="mono">{name}</dt>
            {isSame ? (
              <dd className="muted">
                {after} <span className="small">{t('unchanged')}</span>
              </dd>
            ) : (
              <>
                {before !== undefined && (
                  <dd data-side="before">
                    <span className="visually-hidden">{t('before')}</span>
                    <del>{before}</del>
                  </dd>
                )}
                {after !== undefined && (
                  <dd data-side="after">
                    <span className="visually-hidden">{t('after')}</span>
                    {after}
                  </dd>
                )}
              </>
            )}
          </div>
        ))}
      </dl>
      {!isKnown && couldBeBefore(entry) && <p className="small muted">{t('before_unknown')}</p>}
    </>
  )
}
