import { isBackOffice } from '#api/session.ts'
import type { Screen } from '#ui/screen.ts'

export const flowsScreens: readonly Screen[] = [
  {
    path: '/flows',
    may: isBackOffice,
    load: async () => {
      const { FlowsScreen, asks } = await import('./flows-screen.tsx')
      return { component: FlowsScreen, asks }
    },
    children: [
      {
        path: 'new',
        load: async () => {
          const { NewFlowDrawer } = await import('./flow-drawers.tsx')
          return { component: NewFlowDrawer }
        },
      },
    ],
  },
  {
    path: '/flows/$flowId',
    may: isBackOffice,
    load: async () => {
      const { FlowScreen, asks } = await import('./flow-screen.tsx')
      return { component: FlowScreen, asks }
    },
    children: [
      {
        path: 'edit',
        load: async () => {
          const { EditFlowDrawer } = await import('./flow-drawers.tsx')
          return { component: EditFlowDrawer }
        },
      },
      {
        path: 'send',
        load: async () => {
          const { SendDrawer } = await import('./send-drawer.tsx')
          return { component: SendDrawer }
        },
      },
      {
        path: 'runs/$runId',
        load: async () => {
          const { RunDrawer, asks } = await import('./run-drawer.tsx')
          return { component: RunDrawer, asks }
        },
      },
    ],
  },
]
