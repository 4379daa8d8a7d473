import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import { RemoveAction } from '#ui/remove-action.tsx'

interface DeleteKeyProps {
  readonly id: number
  readonly name: string
}

/** Deletes a key; that cannot be taken back, so it says first what will happen. */
export const DeleteKey = ({ id, name }: DeleteKeyProps) => {
  const { t } = useTranslation('api-keys')
  const { mutateAsync, isPending } = useSend('delete', '/api/v1/auth/api-keys/{id}')
  const words = {
    open: t('delete'),
    title: t('delete_title'),
    why: t('delete_why', { name }),
    submit: t('delete_now', { name }),
    done: t('deleted', { name }),
  }
  return (
    <RemoveAction words={words} remove={() => mutateAsync({ path: { id } })} isPending={isPending} variant="subtle" />
  )
}
