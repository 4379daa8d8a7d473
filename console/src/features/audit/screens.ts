import type { Screen } from '#ui/screen.ts'

export const auditScreens: readonly Screen[] = [
  {
    path: '/audit',
    may: (me) => me.is_superuser,
    load: async () => {
      const { AuditScreen, asks } = await import('./audit-screen.tsx')
      return { component: AuditScreen, asks }
    },
    children: [
      {
        path: '$id',
        load: async () => {
          const { EntryDrawer } = await import('./entry-drawer.tsx')
          return { component: EntryDrawer }
        },
      },
    ],
  },
]
