import type { Screen } from '#ui/screen.ts'

export const usersScreens: readonly Screen[] = [
  {
    path: '/users',
    may: (me) => me.is_superuser,
    load: async () => {
      const { UsersScreen, asks } = await import('./users-screen.tsx')
      return { component: UsersScreen, asks }
    },
    children: [
      {
        path: 'new',
        load: async () => {
          const { NewUserDrawer, asks } = await import('./new-user-drawer.tsx')
          return { component: NewUserDrawer, asks }
        },
      },
      {
        path: '$id',
        load: async () => {
          const { UserDrawer, asks } = await import('./user-drawer.tsx')
          return { component: UserDrawer, asks }
        },
      },
    ],
  },
]
