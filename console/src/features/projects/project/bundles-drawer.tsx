import { TextInput } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import type { Schema } from '#api/types.ts'
import { Action } from '#ui/action.tsx'
import { Drawer } from '#ui/drawer.tsx'
import { FormEnd } from '#ui/form-end.tsx'
import { useGo } from '#ui/go.ts'
import { fromLocalTime, toLocalTime } from '#ui/local-time.ts'
import { showErrors } from '#ui/show-errors.ts'
import { toastDone } from '#ui/toast.tsx'
import classes from '../projects.module.css'
import { organizationOf } from '../organization/organization-queries.ts'
import { useRoleOff } from '../rights.ts'
import { pageOf, project, projectOf, useProjectPath, type ProjectPath } from './project-queries.ts'
import { environments } from './release-words.ts'

type Environment = (typeof environments)[number]
type Project = Schema<'Project'>

interface Bundle {
  readonly bundleIdentifier: string
  readonly provisioningProfile: string
  /** In the zone of the browser. */
  readonly provisioningExpiration: string
}
type Values = Record<Environment, readonly Bundle[]>

const noBundle: Bundle = { bundleIdentifier: '', provisioningProfile: '', provisioningExpiration: '' }

const bundlesOf = ({ additionalCredentials: { ios } }: Project, environment: Environment): readonly Bundle[] =>
  (ios?.[environment] ?? []).map(
    ({ bundleIdentifier = '', provisioningProfile = '', provisioningExpiration: ends }) => ({
      bundleIdentifier,
      provisioningProfile,
      provisioningExpiration: ends === undefined ? '' : toLocalTime(ends),
    }),
  )

const toSent = ({ bundleIdentifier, provisioningProfile, provisioningExpiration }: Bundle) => ({
  bundleIdentifier,
  provisioningProfile: provisioningProfile || null,
  provisioningExpiration: fromLocalTime(provisioningExpiration) ?? null,
})

/** What signs further bundles of an app for iOS, such as widgets. */
export const BundlesDrawer = () => {
  const { t } = useTranslation('projects')
  const path = useProjectPath()
  const { data, error } = useQuery(projectOf(path))
  return (
    <Drawer closeTo={pageOf(path)} title={data && t('bundles.title')} about={t('bundles.about')} error={error} isNew>
      {data !== undefined && <BundlesForm path={path} record={data} />}
    </Drawer>
  )
}

const BundlesForm = ({ path, record }: { readonly path: ProjectPath; readonly record: Project }) => {
  const { t } = useTranslation(['projects', 'texts'])
  const go = useGo()
  const { data: owner } = useQuery(organizationOf(path.organizationId))
  const off = useRoleOff(owner?.role)('developer')
  const saving = useSend('patch', project)
  const form = useForm<Values>({
    initialValues: { production: bundlesOf(record, 'production'), staging: bundlesOf(record, 'staging') },
  })
  const save = ({ production, staging }: Values): void => {
    const ios = { production: production.map(toSent), staging: staging.map(toSent) }
    saving.mutate(
      { path, body: { additionalCredentials: { ios } } },
      {
        onSuccess: () => {
          toastDone(t('project.changed'))
          go.replace(pageOf(path))
        },
        onError: showErrors(form, 'additionalCredentials.ios.'),
      },
    )
  }
  return (
    <form className="stack" onSubmit={form.onSubmit(save)}>
      {environments.map((environment) => (
        <Bundles key={environment} form={form} environment={environment} />
      ))}
      <FormEnd form={form} submit={t('texts:save')} off={off} loading={saving.isPending} />
    </form>
  )
}

interface BundlesProps {
  readonly form: UseFormReturnType<Values>
  readonly environment: Environment
}

const Bundles = ({ form, environment }: BundlesProps) => {
  const { t } = useTranslation('projects')
  return (
    <fieldset className={`stack ${classes['environment']}`}>
      <legend className="strong">{t(`environment.${environment}`)}</legend>
      {form.values[environment].map((_, index) => (
        <fieldset key={index} className={`stack ${classes['bundle']}`}>
          <legend className="small muted">{t('bundles.one', { number: index + 1 })}</legend>
          <TextInput
            label={t('bundles.identifier')}
            required
            maxLength={2_048}
            autoComplete="off"
            {...form.getInputProps(`${environment}.${index}.bundleIdentifier`)}
          />
          <TextInput
            label={t('setup.field.provisioningProfile')}
            type="url"
            maxLength={2_048}
            {...form.getInputProps(`${environment}.${index}.provisioningProfile`)}
          />
          <TextInput
            label={t('setup.field.provisioningExpiration')}
            type="datetime-local"
            step={1}
            {...form.getInputProps(`${environment}.${index}.provisioningExpiration`)}
          />
          <div>
            <Action variant="subtle" onClick={() => form.removeListItem(environment, index)}>
              {t('bundles.remove', { number: index + 1 })}
            </Action>
          </div>
        </fieldset>
      ))}
      <div>
        <Action onClick={() => form.insertListItem(environment, noBundle)}>
          {t('bundles.add', { where: t(`environment.${environment}`) })}
        </Action>
      </div>
    </fieldset>
  )
}
