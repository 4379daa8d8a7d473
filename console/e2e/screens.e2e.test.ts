import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { superuser } from '../../server/demo/logins.ts'
import { logInToApi, type ApiCall } from './support/api.ts'
import { violationsOf } from './support/axe.ts'
import { demoOrigin, logIn, openBrowser, openPage, type ScreenSetting, type TestPage } from './support/browser.ts'
import { hasChromium } from './support/chromium.ts'
import { takePicture } from './support/pictures.ts'
import { fillPath, nameOfPath, openPaths, screenPaths } from './screens.ts'
import { goInside, untilSettled } from './support/settled.ts'

/** Both widths, with pictures in both schemes. */
const settings = {
  desk: {},
  phone: { width: 390, height: 844, hasTouch: true },
} as const satisfies Record<string, ScreenSetting>
const schemes = ['light', 'dark'] as const
/** Of one scheme and the other only the colours differ. */
const rulesOf = { light: undefined, dark: ['color-contrast'] }

describe.skipIf(!hasChromium()).each(['desk', 'phone'] as const)('on a %s', (width) => {
  let browser: Browser
  let opened: TestPage
  let call: ApiCall
  beforeAll(async () => {
    browser = await openBrowser()
    opened = await openPage(browser, demoOrigin(), settings[width])
    call = await logInToApi(demoOrigin(), superuser)
  })
  afterAll(() => browser.close())

  /** Takes pictures of a screen. @returns what is wrong with it. */
  const look = async (path: string) => {
    const { page, complaints } = opened
    complaints.length = 0
    await goInside(page, await fillPath(call, path))
    await untilSettled(page)
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    const violations: string[] = []
    for (const scheme of schemes) {
      await page.emulateMedia({ colorScheme: scheme })
      await takePicture(page, `${nameOfPath(path)}-${width}-${scheme}`)
      violations.push(...(await violationsOf(page, rulesOf[scheme])).map((one) => `${scheme}: ${one}`))
    }
    return { violations, complaints, overflow }
  }
  const nothing = { violations: [], complaints: [], overflow: 0 }

  test.each(openPaths)('%s has nothing that axe or the browser complains about, and fits', async (path) => {
    expect(await look(path)).toEqual(nothing)
  })

  describe('with a session', () => {
    beforeAll(() => logIn(opened.page, superuser))
    test.each(screenPaths)('%s has nothing that axe or the browser complains about, and fits', async (path) => {
      expect(await look(path)).toEqual(nothing)
    })
  })
})
