import { isBackOffice } from '#api/session.ts'
import type { Screen } from '#ui/screen.ts'

export const deliveriesScreens: readonly Screen[] = [
  {
    path: '/deliveries',
    may: isBackOffice,
    load: async () => {
      const { DeliveriesScreen, asks } = await import('./deliveries-screen.tsx')
      return { component: DeliveriesScreen, asks }
    },
    children: [
      {
        path: '$id',
        load: async () => {
          const { DeliveryDrawer, asks } = await import('./delivery-drawer.tsx')
          return { component: DeliveryDrawer, asks }
        },
      },
    ],
  },
  {
    path: '/redeliveries',
    may: isBackOffice,
    load: async () => {
      const { RedeliveriesScreen, asks } = await import('./redelivery/redeliveries-screen.tsx')
      return { component: RedeliveriesScreen, asks }
    },
  },
]
