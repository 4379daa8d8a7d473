import { isBackOffice } from '#api/session.ts'
import type { Screen } from '#ui/screen.ts'

export const quotationsScreens: readonly Screen[] = [
  {
    path: '/quotations',
    may: isBackOffice,
    load: async () => {
      const { QuotationsScreen, asks } = await import('./quotations-screen.tsx')
      return { component: QuotationsScreen, asks }
    },
    children: [
      {
        path: '$id',
        load: async () => {
          const { QuotationDrawer, asks } = await import('./quotation-drawer.tsx')
          return { component: QuotationDrawer, asks }
        },
      },
    ],
  },
]
