import { isBackOffice } from '#api/session.ts'
import type { Screen } from '#ui/screen.ts'

export const transfersScreens: readonly Screen[] = [
  {
    path: '/transfers',
    may: isBackOffice,
    load: async () => {
      const { TransfersScreen, asks } = await import('./transfers-screen.tsx')
      return { component: TransfersScreen, asks }
    },
    children: [
      {
        path: 'new',
        load: async () => {
          const { NewTransfer } = await import('./new-transfer.tsx')
          return { component: NewTransfer }
        },
      },
      {
        path: '$id',
        load: async () => {
          const { TransferDrawer, asks } = await import('./transfer-drawer.tsx')
          return { component: TransferDrawer, asks }
        },
      },
    ],
  },
]
