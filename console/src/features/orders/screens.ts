import { isBackOffice } from '#api/session.ts'
import type { Screen } from '#ui/screen.ts'

export const ordersScreens: readonly Screen[] = [
  {
    path: '/orders',
    may: isBackOffice,
    load: async () => {
      const { OrdersScreen, asks } = await import('./orders-screen.tsx')
      return { component: OrdersScreen, asks }
    },
    children: [
      {
        path: '$id',
        load: async () => {
          const { OrderDrawer, asks } = await import('./order-drawer.tsx')
          return { component: OrderDrawer, asks }
        },
      },
    ],
  },
]
