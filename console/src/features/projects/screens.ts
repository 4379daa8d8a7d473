import type { Screen } from '#ui/screen.ts'

const project = '/organizations/$organizationId/projects/$projectId'

export const projectsScreens: readonly Screen[] = [
  {
    path: '/organizations',
    load: async () => {
      const { OrganizationsScreen, asks } = await import('./organizations-screen.tsx')
      return { component: OrganizationsScreen, asks }
    },
  },
  {
    path: '/organizations/$organizationId',
    load: async () => {
      const { OrganizationScreen, asks } = await import('./organization-screen.tsx')
      return { component: OrganizationScreen, asks }
    },
  },
  {
    path: project,
    load: async () => {
      const { ProjectScreen, asks } = await import('./project/project-screen.tsx')
      return { component: ProjectScreen, asks }
    },
    children: [
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
