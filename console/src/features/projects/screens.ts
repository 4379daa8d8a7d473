import type { Screen } from '#ui/screen.ts'

const project = '/organizations/$organizationId/projects/$projectId'

export const projectsScreens: readonly Screen[] = [
  {
    path: '/organizations',
    load: async () => {
      const { OrganizationsScreen, asks } = await import('./organizations-screen.tsx')
      return { component: OrganizationsScreen, asks }
    },
    children: [
      {
        path: 'new',
        load: async () => {
          const { NewOrganizationDrawer } = await import('./organization/organization-drawers.tsx')
          return { component: NewOrganizationDrawer }
        },
      },
    ],
  },
  {
    path: '/organizations/$organizationId',
    load: async () => {
      const { OrganizationScreen, asks } = await import('./organization/organization-screen.tsx')
      return { component: OrganizationScreen, asks }
    },
    children: [
      {
        path: 'edit',
        load: async () => {
          const { EditOrganizationDrawer } = await import('./organization/organization-drawers.tsx')
          return { component: EditOrganizationDrawer }
        },
      },
      {
        path: 'projects/new',
        load: async () => {
          const { NewProjectDrawer } = await import('./project/project-drawers.tsx')
          return { component: NewProjectDrawer }
        },
      },
    ],
  },
  {
    path: project,
    load: async () => {
      const { ProjectScreen, asks } = await import('./project/project-screen.tsx')
      return { component: ProjectScreen, asks }
    },
    children: [
      {
        path: 'edit',
        load: async () => {
          const { EditProjectDrawer } = await import('./project/project-drawers.tsx')
          return { component: EditProjectDrawer }
        },
      },
      {
        path: 'bundles',
        load: async () => {
          const { BundlesDrawer } = await import('./project/bundles-drawer.tsx')
          return { component: BundlesDrawer }
        },
      },
      {
        path: 'fields/$group',
        load: async () => {
          const { FieldsDrawer } = await import('./project/fields-drawer.tsx')
          return { component: FieldsDrawer }
        },
      },
      {
        path: 'deployments/new',
        load: async () => {
          const { NewDeploymentDrawer } = await import('./project/new-deployment-drawer.tsx')
          return { component: NewDeploymentDrawer }
        },
      },
      {
        path: 'distributions/new',
        load: async () => {
          const { NewDistributionDrawer } = await import('./project/new-distribution-drawer.tsx')
          return { component: NewDistributionDrawer }
        },
      },
    ],
  },
]
