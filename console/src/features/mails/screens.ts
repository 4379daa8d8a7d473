import type { Screen } from '#ui/screen.ts'

export const mailsScreens: readonly Screen[] = [
  {
    path: '/mails',
    may: (me) => me.is_superuser,
    load: async () => {
      const { MailsScreen, asks } = await import('./mails-screen.tsx')
      return { component: MailsScreen, asks }
    },
    children: [
      {
        path: '$id',
        load: async () => {
          const { MailDrawer, asks } = await import('./mail-drawer.tsx')
          return { component: MailDrawer, asks }
        },
      },
    ],
  },
]
