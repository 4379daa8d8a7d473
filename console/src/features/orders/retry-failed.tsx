import { Modal } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#api/api-error.ts'
import { call, useSend } from '#api/queries.ts'
import { useMe } from '#api/session.ts'
import type { Answer } from '#api/types.ts'
import { Action } from '#ui/action.tsx'
import type { List } from '#ui/list/use-list.ts'
import { Failed, Skeleton } from '#ui/states.tsx'
import { toastDone, toastFailed } from '#ui/toast.tsx'

const path = '/api/v1/orders/retry'

type Matching = List<'/api/v1/orders'>['matching']

/** Tries again what failed of all that the list has, after saying how many they are. */
export const RetryFailed = ({ list }: { readonly list: Pick<List<'/api/v1/orders'>, 'matching'> }) => {
  const { t } = useTranslation('orders')
  const me = useMe()
  const [isOpen, { open, close }] = useDisclosure()
  return (
    <>
      <Action off={me.is_superuser ? undefined : t('off.role')} onClick={open}>
        {t('retry_all')}
      </Action>
      <Modal opened={isOpen} onClose={close} title={t('retry_all_title')}>
        {isOpen && <Counted matching={list.matching} done={close} />}
      </Modal>
    </>
  )
}

/** A question that is asked by a POST: how many would be tried. */
const wouldRetry = (matching: Matching) =>
  queryOptions<Answer<'post', typeof path>, ApiError>({
    queryKey: ['dry_run', path, matching],
    queryFn: () => call('post', path, { query: { ...matching, dry_run: true } }),
    gcTime: 0,
  })

const Counted = ({ matching, done }: { readonly matching: Matching; readonly done: () => void }) => {
  const { t } = useTranslation('orders')
  const { data, error } = useQuery(wouldRetry(matching))
  const retry = useSend('post', path)
  if (error !== null && data === undefined) return <Failed error={error} />
  if (data === undefined) return <Skeleton lines={3} width="100%" />
  const { count } = data
  const send = (): void =>
    retry.mutate(
      { query: matching },
      {
        onSuccess: (answer) => {
          toastDone(t(answer.status === 'in_progress' ? 'retry_started' : 'retried', { count: answer.count }))
          done()
        },
        onError: toastFailed,
      },
    )
  return (
    <div className="stack">
      <p>{t(Object.keys(matching).length === 0 ? 'retry_all_why' : 'retry_matching_why', { count })}</p>
      <p className="muted">{t('retry_by_itself')}</p>
      <div>
        <Action main loading={retry.isPending} off={count === 0 ? t('off.none_failed') : undefined} onClick={send}>
          {t('retry_now', { count })}
        </Action>
      </div>
    </div>
  )
}
