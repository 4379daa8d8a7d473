import { isBackOffice } from '#api/session.ts'
import type { Screen } from '#ui/screen.ts'

export const divisionsScreens: readonly Screen[] = [
  {
    path: '/divisions',
    may: isBackOffice,
    load: async () => {
      const { DivisionsScreen, asks } = await import('./divisions-screen.tsx')
      return { component: DivisionsScreen, asks }
    },
    children: [
      { path: 'new', load: async () => ({ component: (await import('./new-division-drawer.tsx')).NewDivisionDrawer }) },
      {
        path: '$id',
        load: async () => {
          const { DivisionDrawer, asks } = await import('./division-drawer.tsx')
          return { component: DivisionDrawer, asks }
        },
      },
    ],
  },
  {
    path: '/divisions/import',
    may: isBackOffice,
    load: async () => ({ component: (await import('./import-divisions.tsx')).ImportDivisions }),
  },
]
