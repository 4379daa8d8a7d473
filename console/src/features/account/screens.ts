import type { Screen } from '#ui/screen.ts'

export const accountScreens: readonly Screen[] = [
  {
    path: '/account',
    load: async () => {
      const { AccountScreen, asks } = await import('./account-screen.tsx')
      return { component: AccountScreen, asks }
    },
  },
]
