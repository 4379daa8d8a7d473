import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { recordOf } from '#api/queries.ts'
import type { Schema } from '#api/types.ts'
import { Link } from '#ui/link.tsx'
import { Notice } from '#ui/notice.tsx'
import { Page } from '#ui/page.tsx'
import { shortUrl } from '#ui/short-url.ts'
import { Ping } from './ping.tsx'
import { ShownSecret } from './shown-secret.tsx'
import classes from './hook.module.css'

interface CreatedProps {
  readonly hook: Schema<'Hook'>
  /** What signs; undefined where a key pair does. */
  readonly secret: string | undefined
}

/** A hook that was just made: its secret, this once, and a test. */
export const Created = ({ hook, secret }: CreatedProps) => {
  const { t } = useTranslation('subscriptions')
  return (
    <Page title={t('created.title', { url: shortUrl(hook.target_url) })} about={t('created.about')}>
      <div className={classes['form']}>
        {secret === undefined ? (
          <PublicKey hook={hook.id} />
        ) : (
          <Notice title={t('created.secret')} outcome="wait">
            <p>{t('created.secret_why')}</p>
            <ShownSecret secret={secret} />
          </Notice>
        )}
        <section className="stack">
          <h2>{t('ping.title')}</h2>
          <Ping hook={hook} main />
        </section>
        <p>
          <Link to={`/hooks/${hook.id}`}>{t('created.go')}</Link>
        </p>
      </div>
    </Page>
  )
}

/** What receivers verify with when a key pair signs. */
export const PublicKey = ({ hook }: { readonly hook: number }) => {
  const { t } = useTranslation('subscriptions')
  const { data } = useQuery(recordOf('/whisperer/hooks/{id}/secret', { path: { id: hook } }))
  if (data?.public_key === undefined) return null
  return (
    <div className="stack">
      <p>{t('secret.public_key')}</p>
      <ShownSecret secret={data.public_key} />
    </div>
  )
}
