import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operator, superuser } from '../../server/demo/logins.ts'
import { logInToApi, type ApiCall } from './support/api.ts'
import { violationsOf } from './support/axe.ts'
import { demoOrigin, logIn, openBrowser, openPage, type ScreenSetting, type TestPage } from './support/browser.ts'
import { hasChromium } from './support/chromium.ts'
import { takePicture } from './support/pictures.ts'
import { fillPath, nameOfPath, openPaths, screenPaths } from './screens.ts'
import { goInside, untilSettled } from './support/settled.ts'

const settings = {
  desk: {},
  phone: { width: 390, height: 844, hasTouch: true },
} as const satisfies Record<string, ScreenSetting>
type Scheme = 'light' | 'dark'
/** Colours do not depend on the width: the dark ones are tried where most of a screen is seen. */
const schemesOf = { desk: ['light', 'dark'], phone: ['light'] } as const satisfies Record<string, readonly Scheme[]>
/** Of one scheme and the other only the colours differ. */
const rulesOf: Readonly<Record<Scheme, readonly string[] | undefined>> = { light: undefined, dark: ['color-contrast'] }

/** @param name begins the names of its pictures. @returns what is wrong with a screen. */
const look = async (
  { page, complaints }: TestPage,
  address: string,
  { name, inSchemes }: { readonly name: string; readonly inSchemes: readonly Scheme[] },
) => {
  complaints.length = 0
  // Where the pointer was left, something may say why it is off.
  await page.mouse.move(0, 0)
  await goInside(page, address)
  await untilSettled(page)
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  const violations: string[] = []
  for (const scheme of inSchemes) {
    await page.emulateMedia({ colorScheme: scheme })
    await takePicture(page, `${name}-${scheme}`)
    violations.push(...(await violationsOf(page, rulesOf[scheme])).map((one) => `${scheme}: ${one}`))
  }
  return { violations, complaints, overflow }
}
const nothing = { violations: [], complaints: [], overflow: 0 }

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

  const lookAt = async (path: string) =>
    look(opened, await fillPath(call, path), {
      name: `${nameOfPath(path)}-${width}`,
      inSchemes: schemesOf[width],
    })

  test.each(openPaths)('%s has nothing that axe or the browser complains about, and fits', async (path) => {
    expect(await lookAt(path)).toEqual(nothing)
  })

  describe('with a session', () => {
    beforeAll(() => logIn(opened.page, superuser))
    test.each(screenPaths)('%s has nothing that axe or the browser complains about, and fits', async (path) => {
      expect(await lookAt(path)).toEqual(nothing)
    })
  })
})

const selling = screenPaths.filter((path) => /^\/(quotations|orders|exports|products|prices|divisions)/.test(path))

describe.skipIf(!hasChromium())('for a seller who reads Turkish', () => {
  let browser: Browser
  let opened: TestPage
  let call: ApiCall
  beforeAll(async () => {
    browser = await openBrowser()
    opened = await openPage(browser, demoOrigin(), { language: 'tr' })
    call = await logInToApi(demoOrigin(), superuser)
    await logIn(opened.page, operator)
  })
  afterAll(() => browser.close())

  test.each(selling)('%s has every text, and nothing to complain about', async (path) => {
    const address = await fillPath(call, path)
    expect(await look(opened, address, { name: `${nameOfPath(path)}-tr`, inSchemes: schemesOf.desk })).toEqual(nothing)
    expect(await opened.page.locator('html').getAttribute('lang')).toBe('tr')
  })
})
