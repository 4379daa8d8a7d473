import { isBackOffice } from '#api/session.ts'
import type { Screen } from '#ui/screen.ts'

export const errorReportsScreens: readonly Screen[] = [
  {
    path: '/error_report_groups',
    may: isBackOffice,
    load: async () => {
      const { GroupsScreen, asks } = await import('./groups-screen.tsx')
      return { component: GroupsScreen, asks }
    },
    children: [
      {
        path: '$id',
        load: async () => {
          const { GroupPane, asks } = await import('./group-pane.tsx')
          return { component: GroupPane, asks }
        },
      },
    ],
  },
  {
    path: '/error_reports',
    may: isBackOffice,
    load: async () => {
      const { ReportsScreen, asks } = await import('./reports-screen.tsx')
      return { component: ReportsScreen, asks }
    },
  },
  {
    path: '/error_reports/$id',
    may: isBackOffice,
    load: async () => {
      const { ReportScreen, asks } = await import('./report-screen.tsx')
      return { component: ReportScreen, asks }
    },
  },
  {
    path: '/channels',
    may: isBackOffice,
    load: async () => {
      const { ChannelsScreen, asks } = await import('./channels-screen.tsx')
      return { component: ChannelsScreen, asks }
    },
    children: [
      {
        path: '$id',
        load: async () => {
          const { ChannelDrawer, asks } = await import('./channel-drawer.tsx')
          return { component: ChannelDrawer, asks }
        },
      },
    ],
  },
]
