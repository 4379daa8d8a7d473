import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import { Action } from '#ui/action.tsx'
import { GoAction } from '#ui/go-action.tsx'
import { toastDone, toastFailed } from '#ui/toast.tsx'
import type { Flow } from './flow-queries.ts'
import { RemoveFlow } from './remove-flow.tsx'

/** What one can do with a flow. */
export const FlowActions = ({ flow }: { readonly flow: Flow }) => {
  const { t } = useTranslation('flows')
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
      <GoAction to={`/flows/${flow.id}/edit`}>{t('edit')}</GoAction>
      <Action loading={switching.isPending} onClick={() => turn(!flow.is_active)}>
        {t(flow.is_active ? 'switch_off' : 'switch_on')}
      </Action>
      <RemoveFlow flow={flow} />
      <GoAction main off={flow.direction === 'inbound' ? t('off.inbound') : undefined} to={`/flows/${flow.id}/send`}>
        {t('send.title')}
      </GoAction>
    </>
  )
}
