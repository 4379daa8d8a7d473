import type { Screen } from '#ui/screen.ts'

export const systemScreens: readonly Screen[] = [
  {
    path: '/system',
    may: (me) => me.is_superuser,
    load: async () => {
      const { SystemScreen, asks } = await import('./system-screen.tsx')
      return { component: SystemScreen, asks }
    },
  },
]
