import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import { Drawer } from '#ui/drawer.tsx'
import { useGo } from '#ui/go.ts'
import { toastDone } from '#ui/toast.tsx'
import { useIdParam } from '#ui/use-params.ts'
import { FlowForm, type FlowBody } from './flow-form.tsx'
import { flowOf } from './flow-queries.ts'

const empty: FlowBody = { name: '', direction: 'outbound', target: '', headers: {} }

/** Makes a flow. */
export const NewFlowDrawer = () => {
  const { t } = useTranslation('flows')
  const go = useGo()
  const making = useSend('post', '/api/nifi/flows')
  return (
    <Drawer closeTo="/flows" title={t('add')} about={t('add_why')}>
      <FlowForm
        initial={empty}
        isSaving={making.isPending}
        submit={t('make')}
        save={(body, onError) =>
          making.mutate({ body }, { onSuccess: ({ id }) => go.replace(`/flows/${id}`), onError })
        }
      />
    </Drawer>
  )
}

/** Changes a flow. */
export const EditFlowDrawer = () => {
  const { t } = useTranslation('flows')
  const { t: common } = useTranslation('texts')
  const go = useGo()
  const id = useIdParam('flowId')
  const { data: flow, error } = useQuery(flowOf(id))
  const saving = useSend('patch', '/api/nifi/flows/{flowId}')
  return (
    <Drawer
      closeTo={`/flows/${id}`}
      title={flow === undefined ? undefined : t('edit')}
      about={flow?.name}
      error={error}
    >
      {flow !== undefined && (
        <FlowForm
          initial={{ ...flow, target: flow.target ?? '' }}
          isSaving={saving.isPending}
          submit={common('save')}
          save={(body, onError) =>
            saving.mutate(
              { path: { flowId: id }, body },
              {
                onSuccess: () => {
                  toastDone(t('saved'))
                  go.replace(`/flows/${id}`)
                },
                onError,
              },
            )
          }
        />
      )}
    </Drawer>
  )
}
