import { isBackOffice } from '#api/session.ts'
import type { Screen } from '#ui/screen.ts'

const webhooks = '/organizations/$organizationId/projects/$projectId/settings/webhooks'

export const subscriptionsScreens: readonly Screen[] = [
  {
    path: '/subscriptions',
    may: isBackOffice,
    load: async () => {
      const { SubscriptionsScreen, asks } = await import('./subscriptions-screen.tsx')
      return { component: SubscriptionsScreen, asks }
    },
  },
  {
    path: '/subscriptions/new',
    may: isBackOffice,
    load: async () => {
      const { NewHookScreen } = await import('./hook/new-hook-screen.tsx')
      return { component: NewHookScreen }
    },
  },
  {
    path: '/hooks/$id',
    may: isBackOffice,
    load: async () => {
      const { HookScreen, asks } = await import('./hook/hook-screen.tsx')
      return { component: HookScreen, asks }
    },
  },
  {
    path: `${webhooks}/new`,
    load: async () => {
      const { NewWebhookScreen } = await import('./webhook/new-webhook-screen.tsx')
      return { component: NewWebhookScreen }
    },
  },
  {
    path: `${webhooks}/$webhookId`,
    load: async () => {
      const { WebhookScreen, asks } = await import('./webhook/webhook-screen.tsx')
      return { component: WebhookScreen, asks }
    },
    children: [
      {
        path: 'deliveries/$deliveryId',
        load: async () => {
          const { DeliveryDrawer } = await import('./webhook/delivery-drawer.tsx')
          return { component: DeliveryDrawer }
        },
      },
    ],
  },
]
