import { isBackOffice } from '#api/session.ts'
import type { Screen } from '#ui/screen.ts'

export const productsScreens: readonly Screen[] = [
  {
    path: '/products',
    may: isBackOffice,
    load: async () => {
      const { ProductsScreen, asks } = await import('./products-screen.tsx')
      return { component: ProductsScreen, asks }
    },
    children: [
      { path: 'new', load: async () => ({ component: (await import('./new-product-drawer.tsx')).NewProductDrawer }) },
      {
        path: '$id',
        load: async () => {
          const { ProductDrawer, asks } = await import('./product-drawer.tsx')
          return { component: ProductDrawer, asks }
        },
      },
    ],
  },
  {
    path: '/products/import',
    may: isBackOffice,
    load: async () => ({ component: (await import('./import-products.tsx')).ImportProducts }),
  },
]
