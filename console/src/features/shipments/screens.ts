import { isBackOffice } from '#api/session.ts'
import type { Screen } from '#ui/screen.ts'

export const shipmentsScreens: readonly Screen[] = [
  {
    path: '/shipments',
    may: isBackOffice,
    load: async () => {
      const { ShipmentsScreen, asks } = await import('./shipments-screen.tsx')
      return { component: ShipmentsScreen, asks }
    },
    children: [
      {
        path: 'new',
        load: async () => {
          const { NewShipment } = await import('./new-shipment.tsx')
          return { component: NewShipment }
        },
      },
      {
        path: '$id',
        load: async () => {
          const { ShipmentDrawer, asks } = await import('./shipment-drawer.tsx')
          return { component: ShipmentDrawer, asks }
        },
      },
    ],
  },
]
