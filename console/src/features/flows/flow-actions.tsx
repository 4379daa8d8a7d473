import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import { Action } from '#ui/action.tsx'
import { useGo } from '#ui/go.ts'
import { toastDone, toastFailed } from '#ui/toast.tsx'
import type { Flow } from './flow-queries.ts'

/** What one can do with a flow. */
export const FlowActions = ({ flow }: { readonly flow: Flow }) => {
  const { t } = useTranslation('flows')
  const go = useGo()
  const switching = useSend('patch', '/api/nifi/flows/{flowId}')
  const turn = (next: boolean): void =>
    switching.mutate(
      { path: { flowId: flow.id }, body: { is_active: next } },
      {
        onSuccess: () => toastDone(t(next ? 'switched_on' : 'switched_off'), () => turn(!next)),
        onError: toastFailed,
      },
    )
  return (
    <>
      <Action onClick={() => go.push(`/flows/${flow.id}/edit`)}>{t('edit')}</Action>
      <Action loading={switching.isPending} onClick={() => turn(!flow.is_active)}>
        {t(flow.is_active ? 'switch_off' : 'switch_on')}
      </Action>
      <Action
        main
        off={flow.direction === 'inbound' ? t('off.inbound') : undefined}
        onClick={() => go.push(`/flows/${flow.id}/send`)}
      >
        {t('send.title')}
      </Action>
    </>
  )
}
