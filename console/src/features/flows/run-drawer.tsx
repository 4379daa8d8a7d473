import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import type { Schema } from '#api/types.ts'
import { Action } from '#ui/action.tsx'
import { Ident } from '#ui/copy.tsx'
import { AttemptCards } from '#ui/delivery/attempt-cards.tsx'
import type { Attempt } from '#ui/delivery/attempt.ts'
import { Exchange } from '#ui/delivery/exchange.tsx'
import { Drawer } from '#ui/drawer.tsx'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { toastDone, toastFailed } from '#ui/toast.tsx'
import { useIdParam } from '#ui/use-params.ts'
import { flowOf, runOf } from './flow-queries.ts'

type RunDetail = Schema<'RunDetail'>

export const asks = ({ params }: Address): readonly AnyQuery[] => [
  runOf(Number(params['flowId']), Number(params['runId'])),
]

/** One run: what was sent, and what came back, attempt by attempt. */
export const RunDrawer = () => {
  const { t } = useTranslation('flows')
  const flowId = useIdParam('flowId')
  const { data: run, error } = useQuery(runOf(flowId, useIdParam('runId')))
  return (
    <Drawer
      closeTo={`/flows/${flowId}`}
      ident={run === undefined ? undefined : <Ident id={run.uuid} />}
      title={
        run === undefined
          ? undefined
          : t(`run_title.${run.state}`, { count: run.attempts, status: run.last_status ?? '–' })
      }
      about={run?.last_reason ?? undefined}
      actions={run === undefined ? undefined : <Retry run={run} />}
      error={error}
      isWide
    >
      {run !== undefined && <Attempts key={run.run_id} run={run} />}
    </Drawer>
  )
}

const Retry = ({ run }: { readonly run: RunDetail }) => {
  const { t } = useTranslation('flows')
  const retrying = useSend('post', '/api/nifi/flows/{flowId}/runs/{runId}/retry')
  const isForced = run.state !== 'failed'
  return (
    <Action
      main={!isForced}
      loading={retrying.isPending}
      onClick={() =>
        retrying.mutate(
          { path: { flowId: run.flow, runId: run.run_id }, body: { force: isForced } },
          { onSuccess: () => toastDone(t('retried')), onError: toastFailed },
        )
      }
    >
      {t(run.state === 'succeeded' ? 'retry_again' : 'retry')}
    </Action>
  )
}

const Attempts = ({ run }: { readonly run: RunDetail }) => {
  const { t } = useTranslation('flows')
  const { data: flow } = useQuery(flowOf(run.flow))
  const [number, choose] = useState<number>()
  const attempts = run.attempt_log.map(toAttempt)
  const chosen = attempts.find((one) => one.number === number) ?? attempts.at(-1)
  return (
    <>
      {attempts.length === 0 && run.attempts > 0 && <p className="muted">{t('attempts_gone')}</p>}
      <AttemptCards attempts={attempts} chosen={chosen?.number} choose={choose} nextAt={run.next_attempt_at} />
      {run.payload_encoding === 'base64' && <p className="small muted">{t('base64')}</p>}
      <Exchange attempts={attempts} chosen={chosen} url={flow?.target ?? null} body={run.payload ?? ''} />
    </>
  )
}

const toAttempt = (attempt: RunDetail['attempt_log'][number]): Attempt => ({
  number: attempt.number,
  startedAt: attempt.started_at,
  durationMs: attempt.duration_ms,
  outcome: attempt.outcome,
  reason: attempt.reason,
  detail: attempt.detail,
  requestHeaders: attempt.request_headers,
  status: attempt.response_status,
  responseHeaders: attempt.response_headers,
  responseBody: attempt.response_body,
  address: attempt.address,
  timing: { ...attempt.timing, firstByte: attempt.timing.first_byte },
})
