import type { Screen } from '#ui/screen.ts'

export const settingsScreens: readonly Screen[] = [
  {
    path: '/settings',
    may: (me) => me.is_superuser || me.is_staff,
    load: async () => {
      const { SettingsScreen, asks } = await import('./settings-screen.tsx')
      return { component: SettingsScreen, asks }
    },
  },
]
