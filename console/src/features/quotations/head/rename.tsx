import { Modal, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#api/api-error.ts'
import { useSend } from '#api/queries.ts'
import { Action } from '#ui/action.tsx'
import { versionOf, type Quotation } from '../quotation.ts'
import { useToldStale } from '../use-told-stale.ts'
import classes from '../workspace.module.css'

interface RenameProps {
  readonly quotation: Quotation
}

/** What the quotation is called; who may edit it can call it something else. */
export const Name = ({ quotation }: RenameProps) => {
  const { t } = useTranslation('quotations')
  const [isOpen, { open, close }] = useDisclosure()
  const { name, allowed_actions: allowed } = quotation
  return (
    <>
      <span className={classes['name']}>{name}</span>
      {allowed.includes('edit') && (
        <button type="button" className={classes['quiet']} onClick={open}>
          {t('rename.open')}
        </button>
      )}
      <Modal opened={isOpen} onClose={close} title={t('rename.open')}>
        {isOpen && <NewName quotation={quotation} close={close} />}
      </Modal>
    </>
  )
}

const NewName = ({ quotation, close }: RenameProps & { readonly close: () => void }) => {
  const { t } = useTranslation('quotations')
  const { id, name } = quotation
  const form = useForm({ initialValues: { name } })
  const sending = useSend('patch', '/api/v1/quotations/{id}')
  const toldStale = useToldStale()
  const refused = (error: ApiError): void => {
    form.setErrors(error.fields)
    if (!('name' in error.fields)) toldStale(error)
  }
  const save = (body: typeof form.values): void =>
    sending.mutate({ path: { id }, ifMatch: versionOf(quotation), body }, { onSuccess: close, onError: refused })
  return (
    <form className="stack" onSubmit={form.onSubmit(save)}>
      <TextInput label={t('field.name')} required maxLength={255} data-autofocus {...form.getInputProps('name')} />
      <div>
        <Action main type="submit" loading={sending.isPending}>
          {t('rename.save')}
        </Action>
      </div>
    </form>
  )
}
