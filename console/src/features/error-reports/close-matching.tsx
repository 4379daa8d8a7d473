import { Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '#api/queries.ts'
import { Action } from '#ui/action.tsx'
import type { List } from '#ui/list/use-list.ts'
import { Skeleton } from '#ui/states.tsx'
import { useChangeReports } from './changes.ts'

type Reports = List<'/api/v1/error_reports'>

/** Closes all open reports that fit the filters, after saying how many they are. */
export const CloseMatching = ({ list }: { readonly list: Reports }) => {
  const { t } = useTranslation('error-reports')
  const [isOpen, setOpen] = useState(false)
  const off = list.active.length === 0 ? t('off.no_filter') : undefined
  return (
    <>
      <Action off={off} onClick={() => setOpen(true)}>
        {t('close_matching')}
      </Action>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title={t('close_matching')}>
        {isOpen && <Matching query={{ ...list.matching, is_ok: false }} done={() => setOpen(false)} />}
      </Modal>
    </>
  )
}

const Matching = ({ query, done }: { readonly query: object; readonly done: () => void }) => {
  const { t } = useTranslation('error-reports')
  const { close, isPending } = useChangeReports()
  const { data } = useQuery({
    queryKey: ['dry_run', 'matching', query],
    queryFn: () => call('post', '/api/v1/error_reports/resolve', { query: { ...query, dry_run: true } }),
    gcTime: 0,
  })
  if (data === undefined) return <Skeleton lines={3} width="100%" />
  return (
    <div className="stack">
      <p>{t(data.is_exact ? 'close_all_why' : 'close_many_why', { count: data.count })}</p>
      <Action
        main
        loading={isPending}
        off={data.count === 0 ? t('off.no_open') : undefined}
        onClick={() => {
          close({ query })
          done()
        }}
      >
        {t('close_all_now', { count: data.count })}
      </Action>
    </div>
  )
}
