import { isBackOffice } from '#api/session.ts'
import type { Screen } from '#ui/screen.ts'

export const eventTypesScreens: readonly Screen[] = [
  {
    path: '/event_types',
    may: isBackOffice,
    load: async () => {
      const { EventTypesScreen, asks } = await import('./event-types-screen.tsx')
      return { component: EventTypesScreen, asks }
    },
    children: [
      {
        path: 'new',
        load: async () => {
          const { NewEventTypeDrawer } = await import('./new-event-type-drawer.tsx')
          return { component: NewEventTypeDrawer }
        },
      },
      {
        path: '$name',
        load: async () => {
          const { EventTypeDrawer, asks } = await import('./event-type-drawer.tsx')
          return { component: EventTypeDrawer, asks }
        },
      },
    ],
  },
]
