import type { Screen } from '#ui/screen.ts'

export const apiKeysScreens: readonly Screen[] = [
  {
    path: '/api_keys',
    load: async () => {
      const { ApiKeysScreen, asks } = await import('./api-keys-screen.tsx')
      return { component: ApiKeysScreen, asks }
    },
    children: [
      {
        path: 'new',
        load: async () => {
          const { NewKeyDrawer } = await import('./new-key-drawer.tsx')
          return { component: NewKeyDrawer }
        },
      },
    ],
  },
]
