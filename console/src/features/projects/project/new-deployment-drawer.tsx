import { Select, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import type { Schema } from '#api/types.ts'
import { Drawer } from '#ui/drawer.tsx'
import { FormEnd } from '#ui/form-end.tsx'
import { showErrors } from '#ui/show-errors.ts'
import { useGo } from '#ui/go.ts'
import { toastDone } from '#ui/toast.tsx'
import { pageOf, project, useProjectPath } from './project-queries.ts'
import { environments, platforms } from './release-words.ts'

type NewDeployment = Pick<Schema<'NewDeployment'>, 'type' | 'platform' | 'environment'>

const types = ['build', 'codePush'] as const satisfies readonly NewDeployment['type'][]

const empty: NewDeployment & { readonly envVersion: string; readonly tag: string; readonly description: string } = {
  type: 'build',
  platform: 'ios',
  environment: 'staging',
  envVersion: '',
  tag: '',
  description: '',
}

/** Starts a deployment; whoever builds it reports what came of it. */
export const NewDeploymentDrawer = () => {
  const { t } = useTranslation('projects')
  const path = useProjectPath()
  const go = useGo()
  const making = useSend('post', `${project}/deployments`)
  const form = useForm({ initialValues: empty })
  const make = ({ envVersion, tag, description, ...rest }: typeof empty): void => {
    const body = { ...rest, envVersion: envVersion || null, tag: tag || null, description: description || null }
    making.mutate(
      { path, body },
      {
        onSuccess: () => {
          toastDone(t('deployment.made'))
          go.replace(pageOf(path))
        },
        onError: showErrors(form),
      },
    )
  }
  return (
    <Drawer closeTo={pageOf(path)} title={t('deployment.new')} about={t('deployment.about')}>
      <form className="stack" onSubmit={form.onSubmit(make)}>
        <Select
          label={t('field.type')}
          description={t(`type_why.${form.values.type}`)}
          allowDeselect={false}
          data={types.map((value) => ({ value, label: t(`type.${value}`) }))}
          {...form.getInputProps('type')}
        />
        <Select
          label={t('field.platform')}
          allowDeselect={false}
          data={platforms.map((value) => ({ value, label: t(`platform.${value}`) }))}
          {...form.getInputProps('platform')}
        />
        <Select
          label={t('field.environment')}
          allowDeselect={false}
          data={environments.map((value) => ({ value, label: t(`environment.${value}`) }))}
          {...form.getInputProps('environment')}
        />
        <TextInput label={t('field.envVersion')} {...form.getInputProps('envVersion')} />
        <TextInput label={t('field.tag')} {...form.getInputProps('tag')} />
        <TextInput label={t('field.description')} {...form.getInputProps('description')} />
        <FormEnd form={form} submit={t('deployment.make')} loading={making.isPending} />
      </form>
    </Drawer>
  )
}
