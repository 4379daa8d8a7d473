import type { Screen } from '#ui/screen.ts'

export const homeScreens: readonly Screen[] = [
  {
    path: '/',
    load: async () => {
      const { HomeScreen } = await import('./home-screen.tsx')
      return { component: HomeScreen }
    },
  },
]
