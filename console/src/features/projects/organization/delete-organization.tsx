import { Modal, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState, type SyntheticEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import type { Schema } from '#api/types.ts'
import { Action } from '#ui/action.tsx'
import { useGo } from '#ui/go.ts'
import { toastDone, toastFailed } from '#ui/toast.tsx'
import { useRoleOff } from '../rights.ts'
import { membersOf, organization, projectsOf } from './organization-queries.ts'

interface DeleteOrganizationProps {
  readonly organization: Schema<'Organization'>
}

/** Deletes an organization, after saying what goes with it; its name is typed, because nothing brings it back. */
export const DeleteOrganization = ({ organization: { _id, name, role } }: DeleteOrganizationProps) => {
  const { t } = useTranslation('projects')
  const [isOpen, { open, close }] = useDisclosure()
  const off = useRoleOff(role)('owner')
  return (
    <>
      <Action off={off} onClick={open}>
        {t('delete.open')}
      </Action>
      <Modal opened={isOpen} onClose={close} title={t('delete.title', { name })}>
        <Question organizationId={_id} name={name} close={close} />
      </Modal>
    </>
  )
}

interface QuestionProps {
  readonly organizationId: string
  readonly name: string
  readonly close: () => void
}

const Question = ({ organizationId, name, close }: QuestionProps) => {
  const { t } = useTranslation(['projects', 'texts'])
  const go = useGo()
  const { data: projects } = useQuery(projectsOf(organizationId))
  const { data: members } = useQuery(membersOf(organizationId))
  const [typed, type] = useState('')
  const deleting = useSend('delete', organization)
  const remove = (event: SyntheticEvent): void => {
    event.preventDefault()
    deleting.mutate(
      { path: { organizationId } },
      {
        onSuccess: () => {
          go.replace('/organizations')
          toastDone(t('delete.done', { name }))
        },
        onError: toastFailed,
      },
    )
  }
  return (
    <form className="stack" onSubmit={remove}>
      <p>
        {t('delete.projects', { count: projects?.total ?? 0 })} {t('delete.members', { count: members?.total ?? 0 })}
      </p>
      <p>{t('delete.why')}</p>
      <TextInput
        label={t('delete.type', { name })}
        autoComplete="off"
        data-autofocus
        value={typed}
        onChange={({ currentTarget: { value } }) => type(value)}
      />
      <div className="flex wrap">
        <Action
          main
          type="submit"
          off={typed.trim() === name.trim() ? undefined : t('delete.off')}
          loading={deleting.isPending}
        >
          {t('delete.submit')}
        </Action>
        <Action onClick={close}>{t('texts:cancel')}</Action>
      </div>
    </form>
  )
}
