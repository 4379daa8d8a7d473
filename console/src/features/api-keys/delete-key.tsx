import { Modal } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import { Action } from '#ui/action.tsx'
import { toastDone, toastFailed } from '#ui/toast.tsx'

interface DeleteKeyProps {
  readonly id: number
  readonly name: string
}

/** Deletes a key; that cannot be taken back, so it says first what will happen. */
export const DeleteKey = ({ id, name }: DeleteKeyProps) => {
  const { t } = useTranslation('api-keys')
  const [isOpen, { open, close }] = useDisclosure()
  const deleting = useSend('delete', '/api/v1/auth/api-keys/{id}')
  return (
    <>
      <Action variant="subtle" onClick={open}>
        {t('delete')}
      </Action>
      <Modal opened={isOpen} onClose={close} title={t('delete_title')}>
        <div className="stack">
          <p>{t('delete_why', { name })}</p>
          <div>
            <Action
              main
              loading={deleting.isPending}
              onClick={() =>
                deleting.mutate(
                  { path: { id } },
                  { onSuccess: () => toastDone(t('deleted', { name })), onError: toastFailed, onSettled: close },
                )
              }
            >
              {t('delete_now', { name })}
            </Action>
          </div>
        </div>
      </Modal>
    </>
  )
}
