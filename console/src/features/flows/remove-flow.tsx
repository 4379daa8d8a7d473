import { Modal } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import { Action } from '#ui/action.tsx'
import { useGo } from '#ui/go.ts'
import { toastDone, toastFailed } from '#ui/toast.tsx'
import { healthOf, type Flow } from './flow-queries.ts'

/** Deletes a flow, after saying what that ends. */
export const RemoveFlow = ({ flow: { id: flowId, name, direction } }: { readonly flow: Flow }) => {
  const { t } = useTranslation('flows')
  const go = useGo()
  const [isOpen, { open, close }] = useDisclosure()
  const { data: health } = useQuery({ ...healthOf(flowId), enabled: direction === 'outbound' })
  const removing = useSend('delete', '/api/nifi/flows/{flowId}')
  const count = health === undefined ? 0 : health.pending + health.waiting + health.held
  const called = name === '' ? t('unnamed', { id: flowId }) : name
  const remove = (): void =>
    removing.mutate(
      { path: { flowId } },
      {
        onSuccess: () => {
          go.replace('/flows')
          toastDone(t('remove.done', { name: called }))
        },
        onError: toastFailed,
      },
    )
  return (
    <>
      <Action onClick={open}>{t('remove.open')}</Action>
      <Modal opened={isOpen} onClose={close} title={t('remove.title', { name: called })}>
        <div className="stack">
          <p>{t('remove.why', { count })}</p>
          <div className="flex wrap">
            <Action main loading={removing.isPending} onClick={remove}>
              {t('remove.submit', { count })}
            </Action>
            <Action onClick={close}>{t('texts:cancel')}</Action>
          </div>
        </div>
      </Modal>
    </>
  )
}
