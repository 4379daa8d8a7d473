import type { Me } from '#api/session.ts'
import { setTimeZone } from './format.ts'
import { setLanguage } from './i18n.ts'

/** Speaks the language of somebody's account, and tells times in its zone; where it says nothing, as the browser does. */
export const speakTo = async ({ locale, time_zone: zone }: Me): Promise<void> => {
  setTimeZone(zone)
  if (locale !== '') await setLanguage(locale)
}
