import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import { Drawer } from '#ui/drawer.tsx'
import { useGo } from '#ui/go.ts'
import { toastDone } from '#ui/toast.tsx'
import { useParam } from '#ui/use-params.ts'
import { useMakingOff, useRoleOff } from '../rights.ts'
import { OrganizationForm, type OrganizationValues } from './organization-form.tsx'
import { organization, organizationOf } from './organization-queries.ts'

const noOrganization: OrganizationValues = { name: '', description: '' }

/** Makes an organization; whoever does owns it. */
export const NewOrganizationDrawer = () => {
  const { t } = useTranslation('projects')
  const go = useGo()
  const off = useMakingOff()
  const making = useSend('post', '/api/v1/organizations')
  return (
    <Drawer closeTo="/organizations" title={t('organizations.new')} about={t('organizations.new_why')} isNew>
      <OrganizationForm
        initial={noOrganization}
        isSaving={making.isPending}
        submit={t('organizations.make')}
        off={off}
        save={(body, onError) =>
          making.mutate(
            { body },
            {
              onSuccess: ({ _id, name }) => {
                toastDone(t('organizations.made', { name }))
                go.replace(`/organizations/${_id}`)
              },
              onError,
            },
          )
        }
      />
    </Drawer>
  )
}

/** Changes what an organization is called. */
export const EditOrganizationDrawer = () => {
  const { t } = useTranslation(['projects', 'texts'])
  const go = useGo()
  const organizationId = useParam('organizationId')
  const page = `/organizations/${organizationId}`
  const { data, error } = useQuery(organizationOf(organizationId))
  const off = useRoleOff(data?.role)('admin')
  const saving = useSend('patch', organization)
  return (
    <Drawer closeTo={page} title={data && t('organizations.edit')} error={error} isNew>
      {data !== undefined && (
        <OrganizationForm
          initial={{ name: data.name, description: data.description }}
          isSaving={saving.isPending}
          submit={t('texts:save')}
          off={off}
          save={(body, onError) =>
            saving.mutate(
              { path: { organizationId }, body },
              {
                onSuccess: () => {
                  toastDone(t('organizations.changed'))
                  go.replace(page)
                },
                onError,
              },
            )
          }
        />
      )}
    </Drawer>
  )
}
