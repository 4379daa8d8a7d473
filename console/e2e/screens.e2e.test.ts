import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isEverythingWanted } from '#testing/is-everything-wanted.ts'
import { superuser } from '../../server/demo/logins.ts'
import { violationsOf } from './support/axe.ts'
import { demoOrigin, logIn, openBrowser, openPage, type ScreenSetting, type TestPage } from './support/browser.ts'
import { hasChromium } from './support/chromium.ts'
import { takePicture } from './support/pictures.ts'
import { seenScreens } from './screens.ts'
import { untilSettled } from './support/settled.ts'

/** Both schemes and both widths. */
const everyday = {
  desk: {},
  'phone-dark': { width: 390, height: 844, hasTouch: true, scheme: 'dark' },
} as const satisfies Record<string, ScreenSetting>

const everything = {
  ...everyday,
  'desk-dark': { scheme: 'dark' },
  phone: { width: 390, height: 844, hasTouch: true },
  turkish: { language: 'tr' },
} as const satisfies Record<string, ScreenSetting>

const settings: Readonly<Record<string, ScreenSetting>> = isEverythingWanted ? everything : everyday

describe.skipIf(!hasChromium()).each(Object.entries(settings))('every screen, %s', (kind, setting) => {
  let browser: Browser
  let opened: TestPage
  beforeAll(async () => {
    browser = await openBrowser()
    opened = await openPage(browser, demoOrigin(), setting)
    await logIn(opened.page, superuser)
  })
  afterAll(() => browser.close())

  test.each(seenScreens)(
    '$name has nothing that axe or the browser complains about, and fits',
    async ({ name, path }) => {
      const { page, complaints } = opened
      complaints.length = 0
      await page.goto(path)
      await untilSettled(page)
      await takePicture(page, `${name}-${kind}`)
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect({ violations: await violationsOf(page), complaints, overflow }).toEqual({
        violations: [],
        complaints: [],
        overflow: 0,
      })
    },
  )
})
