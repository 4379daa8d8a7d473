import { accountScreens } from '#features/account/screens.ts'
import { apiKeysScreens } from '#features/api-keys/screens.ts'
import { auditScreens } from '#features/audit/screens.ts'
import { deliveriesScreens } from '#features/deliveries/screens.ts'
import { divisionsScreens } from '#features/divisions/screens.ts'
import { errorReportsScreens } from '#features/error-reports/screens.ts'
import { eventTypesScreens } from '#features/event-types/screens.ts'
import { eventsScreens } from '#features/events/screens.ts'
import { exportsScreens } from '#features/exports/screens.ts'
import { flowsScreens } from '#features/flows/screens.ts'
import { homeScreens } from '#features/home/screens.ts'
import { mailsScreens } from '#features/mails/screens.ts'
import { ordersScreens } from '#features/orders/screens.ts'
import { packagesScreens } from '#features/packages/screens.ts'
import { pricesScreens } from '#features/prices/screens.ts'
import { productsScreens } from '#features/products/screens.ts'
import { projectsScreens } from '#features/projects/screens.ts'
import { quotationsScreens } from '#features/quotations/screens.ts'
import { settingsScreens } from '#features/settings/screens.ts'
import { shipmentsScreens } from '#features/shipments/screens.ts'
import { stockLocationsScreens } from '#features/stock-locations/screens.ts'
import { subscriptionsScreens } from '#features/subscriptions/screens.ts'
import { systemScreens } from '#features/system/screens.ts'
import { transfersScreens } from '#features/transfers/screens.ts'
import { usersScreens } from '#features/users/screens.ts'
import type { Screen } from '#ui/screen.ts'

/** By the folder of their feature, which their texts are named after. */
const features: Readonly<Record<string, readonly Screen[]>> = {
  home: homeScreens,
  account: accountScreens,
  'api-keys': apiKeysScreens,
  audit: auditScreens,
  deliveries: deliveriesScreens,
  'error-reports': errorReportsScreens,
  'event-types': eventTypesScreens,
  events: eventsScreens,
  flows: flowsScreens,
  mails: mailsScreens,
  packages: packagesScreens,
  projects: projectsScreens,
  settings: settingsScreens,
  shipments: shipmentsScreens,
  'stock-locations': stockLocationsScreens,
  subscriptions: subscriptionsScreens,
  system: systemScreens,
  quotations: quotationsScreens,
  orders: ordersScreens,
  exports: exportsScreens,
  products: productsScreens,
  prices: pricesScreens,
  divisions: divisionsScreens,
  transfers: transfersScreens,
  users: usersScreens,
}

/** A screen, and the texts that it speaks in. */
export type SpokenScreen = Screen & { readonly texts: string }

/** Every screen inside the frame. */
export const screens: readonly SpokenScreen[] = Object.entries(features).flatMap(([texts, some]) =>
  some.map((screen) => ({ ...screen, texts })),
)
