import { isBackOffice } from '#api/session.ts'
import type { Screen } from '#ui/screen.ts'

export const stockLocationsScreens: readonly Screen[] = [
  {
    path: '/stock_locations',
    may: isBackOffice,
    load: async () => {
      const { LocationsScreen, asks } = await import('./locations-screen.tsx')
      return { component: LocationsScreen, asks }
    },
    children: [
      {
        path: 'new',
        load: async () => {
          const { NewLocation } = await import('./new-location.tsx')
          return { component: NewLocation }
        },
      },
    ],
  },
  {
    path: '/stock_locations/$id',
    may: isBackOffice,
    load: async () => {
      const { LocationScreen, asks } = await import('./location-screen.tsx')
      return { component: LocationScreen, asks }
    },
  },
]
