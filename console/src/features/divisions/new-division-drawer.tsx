import { useForm } from '@mantine/form'
import { useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import { Drawer } from '#ui/drawer.tsx'
import { FormEnd } from '#ui/form-end.tsx'
import { useGo } from '#ui/go.ts'
import type { Search } from '#ui/list/filters.ts'
import { showErrors } from '#ui/show-errors.ts'
import { toastDone } from '#ui/toast.tsx'
import { DivisionFields, noDivision, toBody, type DivisionForm } from './division-fields.tsx'

/** Adds a company, or a branch of one. */
export const NewDivisionDrawer = () => {
  const { t } = useTranslation('divisions')
  const go = useGo()
  const { below }: Search = useSearch({ strict: false })
  const making = useSend('post', '/api/v1/divisions')
  const form = useForm<DivisionForm>({
    initialValues: { ...noDivision, parent: typeof below === 'string' ? below : null },
  })
  const save = (values: DivisionForm): void =>
    making.mutate(
      { body: { ...toBody(values), name: values.name } },
      {
        onSuccess: ({ id, name }) => {
          toastDone(t('made', { name }))
          go.replace(`/divisions/${id}`)
        },
        onError: showErrors(form),
      },
    )
  return (
    <Drawer closeTo="/divisions" title={t('new.title')} about={t('new.about')} isNew>
      <form className="stack" onSubmit={form.onSubmit(save)}>
        <DivisionFields form={form} />
        <FormEnd form={form} submit={t('new.submit')} loading={making.isPending} />
      </form>
    </Drawer>
  )
}
