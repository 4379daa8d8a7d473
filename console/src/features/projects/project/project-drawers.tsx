import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import type { Schema } from '#api/types.ts'
import { Drawer } from '#ui/drawer.tsx'
import { useGo } from '#ui/go.ts'
import { toastDone } from '#ui/toast.tsx'
import { useParam } from '#ui/use-params.ts'
import { organization, organizationOf } from '../organization/organization-queries.ts'
import { useRoleOff } from '../rights.ts'
import { ProjectForm, type ProjectValues } from './project-form.tsx'
import { pageOf, project, projectOf, useProjectPath } from './project-queries.ts'

const noProject: ProjectValues = { name: '', slug: '', description: '', status: 'draft', appIconUrl: '' }

/** Makes a project of an organization. */
export const NewProjectDrawer = () => {
  const { t } = useTranslation('projects')
  const go = useGo()
  const organizationId = useParam('organizationId')
  const { data: owner } = useQuery(organizationOf(organizationId))
  const off = useRoleOff(owner?.role)('developer')
  const making = useSend('post', `${organization}/projects`)
  return (
    <Drawer closeTo={`/organizations/${organizationId}`} title={t('project.new')} about={t('project.new_why')} isNew>
      <ProjectForm
        initial={noProject}
        isSaving={making.isPending}
        submit={t('project.make')}
        off={off}
        save={(body, onError) =>
          making.mutate(
            { path: { organizationId }, body },
            {
              onSuccess: ({ _id: projectId, name }) => {
                toastDone(t('project.made', { name }))
                go.replace(pageOf({ organizationId, projectId }))
              },
              onError,
            },
          )
        }
      />
    </Drawer>
  )
}

/** Changes what a project is called and how it stands. */
export const EditProjectDrawer = () => {
  const { t } = useTranslation(['projects', 'texts'])
  const go = useGo()
  const path = useProjectPath()
  const { data: owner } = useQuery(organizationOf(path.organizationId))
  const off = useRoleOff(owner?.role)('developer')
  const { data, error } = useQuery(projectOf(path))
  const saving = useSend('patch', project)
  return (
    <Drawer closeTo={pageOf(path)} title={data && t('project.edit')} error={error} isNew>
      {data !== undefined && (
        <ProjectForm
          initial={valuesOf(data)}
          isSaving={saving.isPending}
          submit={t('texts:save')}
          off={off}
          save={(body, onError) =>
            saving.mutate(
              { path, body },
              {
                onSuccess: () => {
                  toastDone(t('project.changed'))
                  go.replace(pageOf(path))
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

const valuesOf = ({ name, slug, description, status, appIconUrl = '' }: Schema<'Project'>): ProjectValues => ({
  name,
  slug,
  description,
  status,
  appIconUrl,
})
