import { Modal, NumberInput } from '@mantine/core'
import { skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#api/api-error.ts'
import type { Schema } from '#api/types.ts'
import { Action } from '#ui/action.tsx'
import { Failed, Skeleton } from '#ui/states.tsx'
import { formatDuration, formatNumber } from '#ui/texts/format.ts'
import { toastFailed } from '#ui/toast.tsx'
import { RedeliveryProgress } from './redelivery-progress.tsx'
import { SampleTable } from './sample-table.tsx'

export type Asked = { readonly per_second: number } & ({ readonly dry_run: true } | { readonly start: true })
type Answer = Schema<'Redelivery'> | Schema<'RedeliveryCount'>

interface RedeliveryDialogProps {
  readonly title: string
  readonly close: () => void
  /** What says what is asked, so that another question is counted anew. */
  readonly asked: readonly unknown[]
  /** Counts, or begins; undefined while what is asked is not complete. */
  readonly send: ((how: Asked) => Promise<Answer>) | undefined
  /** Says in the button what will happen. */
  readonly startText: (count: string) => string
  readonly children?: ReactNode
}

const usualPace = 200

/** Sends much again: how much it would be and the first of it, then a job with its progress. */
export const RedeliveryDialog = ({ title, close, asked, send, startText, children }: RedeliveryDialogProps) => {
  const { t } = useTranslation('deliveries')
  const [perSecond, setPerSecond] = useState(usualPace)
  const { count, error, isCounting } = useCount(asked, send)
  const { job, begin, isBeginning } = useJob(send)
  if (job !== undefined)
    return (
      <Modal opened onClose={close} title={title} size="lg">
        <RedeliveryProgress id={job.id} />
      </Modal>
    )
  return (
    <Modal opened onClose={close} title={title} size="lg">
      <div className="stack">
        {children}
        {error !== null && <Failed error={error} />}
        {isCounting && count === undefined && <Skeleton lines={6} width="100%" />}
        {count !== undefined && <Counted count={count} perSecond={perSecond} />}
        <div className="flex wrap between">
          <NumberInput
            label={t('bulk.pace')}
            description={t('bulk.pace_hint')}
            value={perSecond}
            min={1}
            max={10_000}
            onChange={(value) => setPerSecond(Math.max(1, Number(value) || usualPace))}
          />
          <Action
            main
            off={count?.count === 0 ? t('bulk.nothing') : undefined}
            loading={isBeginning || isCounting}
            onClick={() => begin(perSecond)}
          >
            {startText(count === undefined ? '…' : countText(count))}
          </Action>
        </div>
      </div>
    </Modal>
  )
}

type Send = RedeliveryDialogProps['send']

/** How much it would be. */
const useCount = (asked: readonly unknown[], send: Send) => {
  const { data, error, isFetching } = useQuery<Answer, ApiError>({
    queryKey: ['redelivery count', ...asked],
    queryFn: send === undefined ? skipToken : () => send({ dry_run: true, per_second: usualPace }),
    staleTime: 0,
  })
  return { count: data !== undefined && 'count' in data ? data : undefined, error, isCounting: isFetching }
}

/** Begins the job. */
const useJob = (send: Send) => {
  const queries = useQueryClient()
  const { data, mutate, isPending } = useMutation<Answer, ApiError, number>({
    mutationFn: async (perSecond) => {
      if (send === undefined) throw new Error('What is asked for is not complete.')
      return send({ start: true, per_second: perSecond })
    },
    onError: toastFailed,
    onSettled: () => queries.invalidateQueries({ queryKey: ['/whisperer/redeliveries'] }),
  })
  return { job: data !== undefined && 'id' in data ? data : undefined, begin: mutate, isBeginning: isPending }
}

const countText = ({ count, is_exact: isExact }: Schema<'RedeliveryCount'>): string =>
  `${formatNumber(count)}${isExact ? '' : '+'}`

const Counted = ({ count, perSecond }: { readonly count: Schema<'RedeliveryCount'>; readonly perSecond: number }) => {
  const { t } = useTranslation('deliveries')
  const time = formatDuration(Math.max(1, count.count / perSecond) * 1_000)
  return (
    <div aria-live="polite" className="stack">
      <p>
        {count.count === 0 ? t('bulk.nothing') : t('bulk.count', { count: count.count, shown: countText(count), time })}
      </p>
      {count.sample.length > 0 && <SampleTable sample={count.sample} />}
    </div>
  )
}
