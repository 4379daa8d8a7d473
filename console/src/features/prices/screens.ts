import { isBackOffice } from '#api/session.ts'
import type { Screen } from '#ui/screen.ts'

export const pricesScreens: readonly Screen[] = [
  {
    path: '/prices',
    may: isBackOffice,
    load: async () => {
      const { PricesScreen, asks } = await import('./prices-screen.tsx')
      return { component: PricesScreen, asks }
    },
    children: [
      { path: 'new', load: async () => ({ component: (await import('./new-price-drawer.tsx')).NewPriceDrawer }) },
      {
        path: '$id',
        load: async () => {
          const { PriceDrawer, asks } = await import('./price-drawer.tsx')
          return { component: PriceDrawer, asks }
        },
      },
    ],
  },
  {
    path: '/prices/import',
    may: isBackOffice,
    load: async () => ({ component: (await import('./import-prices.tsx')).ImportPrices }),
  },
]
