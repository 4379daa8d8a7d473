import { Checkbox, Modal, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import { Action } from '#ui/action.tsx'
import { toastDone } from '#ui/toast.tsx'
import type { Schema } from '#api/types.ts'

interface SaveViewProps {
  readonly screen: string
  /** What is shown, as the query of an address. */
  readonly query: string
  /** Whether it names times that stay as they are. */
  readonly isFixed: boolean
  readonly own: readonly Schema<'SavedView'>[]
  readonly close: () => void
}

/** Keeps what is shown under a name; under a name that one has already it takes the place of what was kept. */
export const SaveView = ({ screen, query, isFixed, own, close }: SaveViewProps) => {
  const { t } = useTranslation('texts')
  const [name, setName] = useState('')
  const [isShared, setShared] = useState(false)
  const create = useSend('post', '/api/v1/views')
  const change = useSend('patch', '/api/v1/views/{id}')
  const before = own.find((view) => view.name === name.trim())
  const error = create.error ?? change.error
  const done = (): void => {
    close()
    toastDone(t('views.saved', { name: name.trim() }))
  }
  const save = (): void => {
    const body = { query, is_shared: isShared }
    if (before === undefined) create.mutate({ body: { ...body, screen, name: name.trim() } }, { onSuccess: done })
    else change.mutate({ path: { id: before.id }, body }, { onSuccess: done })
  }
  return (
    <Modal opened onClose={close} title={t('views.save_title')}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <TextInput
          label={t('views.name')}
          value={name}
          maxLength={100}
          required
          data-autofocus
          error={error === null ? undefined : (error.fields['name'] ?? error.message)}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Checkbox
          label={t('views.is_shared')}
          checked={isShared}
          onChange={(event) => setShared(event.currentTarget.checked)}
        />
        {isFixed && <p className="muted">{t('views.fixed')}</p>}
        <Action main type="submit" loading={create.isPending || change.isPending}>
          {t(before === undefined ? 'save' : 'views.replace')}
        </Action>
      </form>
    </Modal>
  )
}
