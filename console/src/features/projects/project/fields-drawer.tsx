import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ApiError } from '#api/api-error.ts'
import { useSend } from '#api/queries.ts'
import type { Schema } from '#api/types.ts'
import { Drawer } from '#ui/drawer.tsx'
import { FormEnd } from '#ui/form-end.tsx'
import { useGo } from '#ui/go.ts'
import { showErrors } from '#ui/show-errors.ts'
import { toastDone } from '#ui/toast.tsx'
import { useParam } from '#ui/use-params.ts'
import { organizationOf } from '../organization/organization-queries.ts'
import { useRoleOff } from '../rights.ts'
import { changeOf, credentialGroups, statusGroups, storedOf, toFields, type FieldGroup } from './field-groups.ts'
import { FieldInput } from './field-input.tsx'
import { pageOf, project, projectOf, useProjectPath, type ProjectPath } from './project-queries.ts'

/** Fields of a project that belong together: what signs the app, how a store is reached, what is out. */
export const FieldsDrawer = () => {
  const { t } = useTranslation('projects')
  const path = useProjectPath()
  const id = useParam('group')
  const group = [...credentialGroups, ...statusGroups].find((one) => one.id === id)
  const { data, error } = useQuery(projectOf(path))
  if (group === undefined || data === undefined) {
    const unknown = group === undefined ? new ApiError(t('setup.unknown'), { status: 404 }) : error
    return <Drawer closeTo={pageOf(path)} title={undefined} error={unknown} isNew />
  }
  return (
    <Drawer
      closeTo={pageOf(path)}
      ident={<code>{id}</code>}
      title={t(`setup.title.${group.part}`, { name: group.name(t) })}
      about={t(`setup.about.${group.part}`)}
      isNew
    >
      <FieldsForm key={id} path={path} group={group} record={data} />
    </Drawer>
  )
}

interface FieldsFormProps {
  readonly path: ProjectPath
  readonly group: FieldGroup
  readonly record: Schema<'Project'>
}

const FieldsForm = ({ path, group, record }: FieldsFormProps) => {
  const { t } = useTranslation(['projects', 'texts'])
  const go = useGo()
  const { data: owner } = useQuery(organizationOf(path.organizationId))
  const off = useRoleOff(owner?.role)('developer')
  const saving = useSend('patch', project)
  const before = toFields(group, storedOf(record, group))
  const form = useForm({ initialValues: before })
  const save = (now: typeof before): void =>
    saving.mutate(
      { path, body: changeOf(group, form.getInitialValues(), now) },
      {
        onSuccess: () => {
          toastDone(t('project.changed'))
          go.replace(pageOf(path))
        },
        onError: showErrors(form, `${group.id}.`),
      },
    )
  return (
    <form className="stack" onSubmit={form.onSubmit(save)}>
      {Object.entries(group.fields).map(([name, kind]) => (
        <FieldInput key={name} form={form} name={name} kind={kind} />
      ))}
      <FormEnd form={form} submit={t('texts:save')} off={off} loading={saving.isPending} />
    </form>
  )
}
