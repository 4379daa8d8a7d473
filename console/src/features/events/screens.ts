import { isBackOffice } from '#api/session.ts'
import type { Screen } from '#ui/screen.ts'

export const eventsScreens: readonly Screen[] = [
  {
    path: '/events',
    may: isBackOffice,
    load: async () => {
      const { EventsScreen, asks } = await import('./events-screen.tsx')
      return { component: EventsScreen, asks }
    },
    children: [
      {
        path: '$id',
        load: async () => {
          const { EventDrawer, asks } = await import('./event-drawer.tsx')
          return { component: EventDrawer, asks }
        },
      },
    ],
  },
]
