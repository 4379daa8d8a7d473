import { isBackOffice } from '#api/session.ts'
import type { Screen } from '#ui/screen.ts'

export const packagesScreens: readonly Screen[] = [
  {
    path: '/packages',
    may: isBackOffice,
    load: async () => {
      const { PackagesScreen, asks } = await import('./packages-screen.tsx')
      return { component: PackagesScreen, asks }
    },
    children: [
      {
        path: 'new',
        load: async () => {
          const { NewPackage } = await import('./new-package.tsx')
          return { component: NewPackage }
        },
      },
      {
        path: '$id',
        load: async () => {
          const { PackageDrawer, asks } = await import('./package-drawer.tsx')
          return { component: PackageDrawer, asks }
        },
      },
    ],
  },
]
