import { accountScreens } from '#features/account/screens.ts'
import { deliveriesScreens } from '#features/deliveries/screens.ts'
import { eventsScreens } from '#features/events/screens.ts'
import { errorReportsScreens } from '#features/error-reports/screens.ts'
import { homeScreens } from '#features/home/screens.ts'
import { mailsScreens } from '#features/mails/screens.ts'
import { settingsScreens } from '#features/settings/screens.ts'
import { subscriptionsScreens } from '#features/subscriptions/screens.ts'
import { usersScreens } from '#features/users/screens.ts'
import type { Screen } from '#ui/screen.ts'

/** Every screen inside the frame. */
export const screens: readonly Screen[] = [
  ...homeScreens,
  ...accountScreens,
  ...deliveriesScreens,
  ...eventsScreens,
  ...mailsScreens,
  ...settingsScreens,
  ...subscriptionsScreens,
  ...errorReportsScreens,
  ...usersScreens,
]
