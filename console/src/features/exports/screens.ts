import { isBackOffice } from '#api/session.ts'
import type { Screen } from '#ui/screen.ts'

export const exportsScreens: readonly Screen[] = [
  {
    path: '/exports',
    may: isBackOffice,
    load: async () => {
      const { ExportsScreen, asks } = await import('./exports-screen.tsx')
      return { component: ExportsScreen, asks }
    },
  },
  {
    path: '/exports/new',
    may: isBackOffice,
    load: async () => ({ component: (await import('./new-export-screen.tsx')).NewExportScreen }),
  },
]
