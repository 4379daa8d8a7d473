import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { recordOf, useSend } from '#api/queries.ts'
import type { Schema } from '#api/types.ts'
import { Action } from '#ui/action.tsx'
import { Drawer } from '#ui/drawer.tsx'
import { Notice } from '#ui/notice.tsx'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { Time } from '#ui/time.tsx'
import { toastDone, toastFailed } from '#ui/toast.tsx'
import { useIdParam } from '#ui/use-params.ts'
import { MailStatus } from './mail-status.tsx'

type Mail = Schema<'Mail'>

const mailOf = (id: number) => recordOf('/api/v1/mails/{id}', { path: { id } })

export const asks = ({ params }: Address): readonly AnyQuery[] => [mailOf(Number(params['id']))]

/** One letter: what it says, and whether it left. */
export const MailDrawer = () => {
  const { t } = useTranslation('mails')
  const { data: mail, error } = useQuery(mailOf(useIdParam()))
  return (
    <Drawer
      closeTo="/mails"
      ident={mail === undefined ? undefined : t(`purpose.${mail.purpose}`)}
      title={mail?.subject}
      about={mail?.to}
      actions={mail === undefined ? undefined : <Send mail={mail} />}
      error={error}
    >
      {mail !== undefined && (
        <>
          {mail.error !== null && (
            <Notice outcome={mail.status === 'failed' ? 'bad' : 'wait'} title={t('refused')}>
              <p>{mail.error}</p>
            </Notice>
          )}
          <Facts mail={mail} />
          {mail.text === null ? <p className="muted">{t('hidden')}</p> : <pre>{mail.text}</pre>}
        </>
      )}
    </Drawer>
  )
}

const Send = ({ mail }: { readonly mail: Mail }) => {
  const { t } = useTranslation('mails')
  const sending = useSend('post', '/api/v1/mails/{id}/send')
  const isOff = mail.status === 'sent' || mail.status === 'waiting'
  return (
    <Action
      main
      loading={sending.isPending}
      off={isOff ? t(`off.${mail.status}`) : undefined}
      onClick={() =>
        sending.mutate(
          { path: { id: mail.id } },
          { onSuccess: () => toastDone(t('will_send', { to: mail.to })), onError: toastFailed },
        )
      }
    >
      {t(mail.status === 'failed' ? 'send_again' : 'send')}
    </Action>
  )
}

const Facts = ({ mail }: { readonly mail: Mail }) => {
  const { t } = useTranslation('mails')
  return (
    <dl className="facts">
      <dt>{t('field.status')}</dt>
      <dd>
        <MailStatus status={mail.status} />
      </dd>
      <dt>{t('field.created_at')}</dt>
      <dd>
        <Time at={mail.created_at} as="moment" />
      </dd>
      <dt>{t('field.sent_at')}</dt>
      <dd>
        <Time at={mail.sent_at} as="moment" />
      </dd>
      <dt>{t('field.attempts')}</dt>
      <dd>{mail.attempts}</dd>
      <dt>{t('field.locale')}</dt>
      <dd>{t(`locale.${mail.locale}`)}</dd>
    </dl>
  )
}
