import { isBackOffice } from '#api/session.ts'
import type { Screen } from '#ui/screen.ts'

/** Parts of the workspace that have an address; they show what the workspace around them asks for. */
const tabs: readonly Screen[] = [
  { path: 'items', load: async () => ({ component: (await import('./items-tab.tsx')).ItemsTab }) },
  { path: 'comments', load: async () => ({ component: (await import('./comments.tsx')).CommentsTab }) },
  { path: 'orders', load: async () => ({ component: (await import('./orders-tab.tsx')).OrdersTab }) },
  { path: 'history', load: async () => ({ component: (await import('./history/history-tab.tsx')).HistoryTab }) },
]

export const quotationsScreens: readonly Screen[] = [
  {
    path: '/quotations',
    may: isBackOffice,
    load: async () => {
      const { QuotationsScreen, asks } = await import('./quotations-screen.tsx')
      return { component: QuotationsScreen, asks }
    },
  },
  {
    path: '/quotations/$id',
    may: isBackOffice,
    load: async () => {
      const { WorkspaceScreen, asks } = await import('./workspace.tsx')
      return { component: WorkspaceScreen, asks }
    },
    children: tabs,
  },
]
