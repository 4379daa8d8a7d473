import { Select, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import { Drawer } from '#ui/drawer.tsx'
import { FormEnd } from '#ui/form-end.tsx'
import { showErrors } from '#ui/show-errors.ts'
import { useGo } from '#ui/go.ts'
import { toastDone } from '#ui/toast.tsx'
import { deploymentsOf, pageOf, project, useProjectPath } from './project-queries.ts'
import type { Distribution } from './release-words.ts'

type Target = Distribution['target']

const targets = ['testers', 'appleAppStore', 'googlePlay', 'huaweiAppGallery'] as const satisfies readonly Target[]

interface DistributionForm {
  readonly deployment: string
  readonly target: Target
  readonly storeVersion: string
}

const empty: DistributionForm = { deployment: '', target: 'testers', storeVersion: '' }

/** Sends a deployment to a store or to testers. */
export const NewDistributionDrawer = () => {
  const { t } = useTranslation('projects')
  const path = useProjectPath()
  const go = useGo()
  const { data: deployments } = useQuery(deploymentsOf(path))
  const making = useSend('post', `${project}/distributions`)
  const form = useForm({ initialValues: empty })
  const make = ({ storeVersion, ...rest }: DistributionForm): void =>
    making.mutate(
      { path, body: { ...rest, storeVersion: storeVersion || null } },
      {
        onSuccess: () => {
          toastDone(t('distribution.made'))
          go.replace(pageOf(path))
        },
        onError: showErrors(form),
      },
    )
  const built = (deployments?.rows ?? []).filter(({ status }) => status === 'succeeded')
  return (
    <Drawer closeTo={pageOf(path)} title={t('distribution.new')} about={t('distribution.about')}>
      <form className="stack" onSubmit={form.onSubmit(make)}>
        <Select
          label={t('field.deployment')}
          description={t('distribution.which')}
          required
          searchable
          data={built.map(({ _id, platform, environment, envVersion, tag }) => ({
            value: _id,
            label: [t(`platform.${platform}`), envVersion, tag, t(`environment.${environment}`)]
              .filter(Boolean)
              .join(' '),
          }))}
          {...form.getInputProps('deployment')}
        />
        <Select
          label={t('field.target')}
          allowDeselect={false}
          data={targets.map((value) => ({ value, label: t(`target.${value}`) }))}
          {...form.getInputProps('target')}
        />
        <TextInput label={t('field.storeVersion')} {...form.getInputProps('storeVersion')} />
        <FormEnd form={form} submit={t('distribution.make')} loading={making.isPending} />
      </form>
    </Drawer>
  )
}
