import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import { changedValues } from '#ui/changes.ts'
import { FormEnd } from '#ui/form-end.tsx'
import { showErrors } from '#ui/show-errors.ts'
import { toastDone, toastFailed } from '#ui/toast.tsx'
import { DivisionFields, formOf, toBody, type DivisionForm } from './division-fields.tsx'
import type { Division } from './division-list.ts'

/** Changes or moves a division, only in the fields that were touched. It can be taken back. */
export const EditDivision = ({ division }: { readonly division: Division }) => {
  const { t } = useTranslation('divisions')
  const { t: common } = useTranslation('texts')
  const saving = useSend('patch', '/api/v1/divisions/{id}')
  const path = { id: division.id }
  const form = useForm<DivisionForm>({ initialValues: formOf(division) })
  const save = (values: DivisionForm): void => {
    const before = formOf(division)
    const changed = changedValues(form, values)
    const undo = (): void => {
      form.setValues(before)
      form.resetDirty(before)
      const names = Object.keys(changed) as (keyof DivisionForm)[]
      const body = toBody(Object.fromEntries(names.map((name) => [name, before[name]])))
      saving.mutate({ path, body }, { onError: toastFailed })
    }
    saving.mutate(
      { path, body: toBody(changed) },
      {
        onSuccess: () => {
          form.resetDirty(values)
          toastDone(t('saved', { name: values.name }), undo)
        },
        onError: showErrors(form),
      },
    )
  }
  return (
    <form className="stack" onSubmit={form.onSubmit(save)}>
      <DivisionFields form={form} />
      <FormEnd
        form={form}
        submit={common('save')}
        loading={saving.isPending}
        off={form.isDirty() ? undefined : t('unchanged')}
      />
    </form>
  )
}
