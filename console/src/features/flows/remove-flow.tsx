import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import { RemoveAction } from '#ui/remove-action.tsx'
import { healthOf, type Flow } from './flow-queries.ts'

/** Deletes a flow, after saying how many runs that ends. */
export const RemoveFlow = ({ flow: { id: flowId, name, direction } }: { readonly flow: Flow }) => {
  const { t } = useTranslation('flows')
  const { data: health } = useQuery({ ...healthOf(flowId), enabled: direction === 'outbound' })
  const { mutateAsync, isPending } = useSend('delete', '/api/nifi/flows/{flowId}')
  const count = health === undefined ? 0 : health.pending + health.waiting + health.held
  const called = name === '' ? t('unnamed', { id: flowId }) : name
  const words = {
    open: t('remove.open'),
    title: t('remove.title', { name: called }),
    why: t('remove.why', { count }),
    submit: t('remove.submit', { count }),
    done: t('remove.done', { name: called }),
  }
  return (
    <RemoveAction words={words} remove={() => mutateAsync({ path: { flowId } })} isPending={isPending} goTo="/flows" />
  )
}
