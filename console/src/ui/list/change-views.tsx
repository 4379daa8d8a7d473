import { Checkbox, Modal, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import { Action } from '#ui/action.tsx'
import { toastDone, toastFailed } from '#ui/toast.tsx'
import type { Schema } from '#api/types.ts'

interface ChangeViewsProps {
  readonly views: readonly Schema<'SavedView'>[]
  readonly close: () => void
}

/** One's own views: their names, who has them, and a way to remove them. */
export const ChangeViews = ({ views, close }: ChangeViewsProps) => {
  const { t } = useTranslation('texts')
  return (
    <Modal opened onClose={close} title={t('views.change_title')} size="lg">
      <ul className="stack">
        {views.map((view) => (
          <OneView key={view.id} view={view} />
        ))}
      </ul>
    </Modal>
  )
}

const OneView = ({ view }: { readonly view: Schema<'SavedView'> }) => {
  const { t } = useTranslation('texts')
  const { id, is_shared: isShared, screen, query } = view
  const [name, setName] = useState(view.name)
  const change = useSend('patch', '/api/v1/views/{id}')
  const create = useSend('post', '/api/v1/views')
  const remove = useSend('delete', '/api/v1/views/{id}')
  const rename = (): void => {
    if (name.trim() !== view.name && name.trim() !== '') change.mutate({ path: { id }, body: { name: name.trim() } })
  }
  const bringBack = (): void =>
    create.mutate({ body: { screen, query, is_shared: isShared, name: view.name } }, { onError: toastFailed })
  return (
    <li className="flex wrap">
      <div className="grow">
        <TextInput
          aria-label={t('views.name')}
          value={name}
          maxLength={100}
          error={change.error?.fields['name']}
          onChange={(event) => setName(event.currentTarget.value)}
          onBlur={rename}
          onKeyDown={(event) => event.key === 'Enter' && rename()}
        />
      </div>
      <Checkbox
        label={t('views.is_shared')}
        checked={isShared}
        onChange={(event) =>
          change.mutate({ path: { id }, body: { is_shared: event.currentTarget.checked } }, { onError: toastFailed })
        }
      />
      <Action
        loading={remove.isPending}
        onClick={() =>
          remove.mutate(
            { path: { id } },
            { onSuccess: () => toastDone(t('views.removed', { name: view.name }), bringBack), onError: toastFailed },
          )
        }
      >
        {t('views.remove')}
      </Action>
    </li>
  )
}
