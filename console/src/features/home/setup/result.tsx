import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import type { RowOf } from '#api/types.ts'
import { Action } from '#ui/action.tsx'
import { endingPhrase } from '#ui/delivery/ending.ts'
import { Link } from '#ui/link.tsx'
import { useNow } from '#ui/now.ts'
import { Time } from '#ui/time.tsx'
import { toastFailed } from '#ui/toast.tsx'

type Delivery = RowOf<'/whisperer/hook_events'>

interface ResultProps {
  readonly last: Delivery | undefined
  readonly delivered: Delivery | undefined
}

/** What became of the first event: the answer, or why there is none yet and what can be done. */
export const Result = ({ last, delivered }: ResultProps) => {
  const { t } = useTranslation(['home', 'delivery'])
  const { t: common } = useTranslation('delivery')
  const isFailing = delivered === undefined && last !== undefined && last.attempt_count > 0
  return (
    <>
      <p className={isFailing ? undefined : 'muted'} role="status">
        {delivered === undefined
          ? wordsOf(last, t, common)
          : t('setup.delivered.done', { status: delivered.response_http_status })}
      </p>
      {isFailing && <NotYet delivery={last} />}
    </>
  )
}

const wordsOf = (last: Delivery | undefined, t: TFunction<['home', 'delivery']>, common: TFunction): string => {
  if (last === undefined) return t('setup.delivered.waits')
  if (last.attempt_count === 0) return t('setup.delivered.sending')
  const phrase = endingPhrase({ reason: last.reason, status: last.response_http_status }, common)
  return t('setup.delivered.now', { phrase })
}

/** A delivery that has failed so far: when it is tried next, a way to try it at once, and a way to look at it. */
const NotYet = ({ delivery }: { readonly delivery: Delivery }) => {
  const { t } = useTranslation('home')
  const retry = useSend('post', '/whisperer/hook_events/{id}/retry')
  const { id, status, webhook } = delivery
  const send = (): void =>
    retry.mutate({ path: { id }, body: { force: status === 'pending' } }, { onError: toastFailed })
  return (
    <>
      <p className="muted">
        <NextTry delivery={delivery} />
      </p>
      <div className="flex wrap">
        <Action
          main
          off={webhook.is_active ? undefined : t('setup.delivered.hook_off')}
          loading={retry.isPending}
          onClick={send}
        >
          {t('setup.delivered.try')}
        </Action>
        <Link to={`/deliveries/${id}?tab=response`}>{t('setup.delivered.look')}</Link>
      </div>
    </>
  )
}

const NextTry = ({ delivery: { status, next_attempt_at: at, webhook } }: { readonly delivery: Delivery }) => {
  const { t } = useTranslation('home')
  const now = useNow()
  if (!webhook.is_active) return t('setup.delivered.hook_off')
  if (status !== 'pending' || at === null) return t('setup.delivered.no_next')
  if (new Date(at) <= now) return t('setup.delivered.due')
  return (
    <>
      {t('setup.delivered.next')} <Time at={at} />
    </>
  )
}
