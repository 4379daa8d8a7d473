import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mainBuyer, otherBuyers } from '../../server/demo/logins.ts'
import { logInToApi } from './support/api.ts'
import { violationsOf } from './support/axe.ts'
import { demoOrigin, logInToShop, openBrowser, openPage, type TestPage } from './support/browser.ts'
import { hasChromium } from './support/chromium.ts'
import { logInParties, makeOffer } from './support/offers.ts'
import { takePicture } from './support/pictures.ts'
import { goInside, untilSettled } from './support/settled.ts'

const widths = { desk: {}, phone: { width: 390, height: 844, hasTouch: true } } as const
/** Both are of a main division, which has every screen. */
const readers = { en: otherBuyers.anna, tr: mainBuyer } as const
const schemes = ['light', 'dark'] as const
/** Of one scheme and the other only the colours differ. */
const rulesOf = { light: undefined, dark: ['color-contrast'] }

const openPaths = ['/shop/login', '/shop/password/forgot', '/shop/password/reset', '/shop/password/reset#token=t']
const paths = [
  '/shop',
  '/shop?q=oak&category=Seating',
  '/shop?q=nothing-of-that-name',
  '/shop/basket',
  '/shop/basket/drafts',
  '/shop/basket/import',
  '/shop/quotations',
  '/shop/quotations?tab=done&scope=tree',
  '/shop/approvals',
  '/shop/orders?scope=tree',
  '/shop/account',
  '/shop/nowhere',
]
/** A quotation of each of them is looked at, where the company of the reader has one. */
const statuses = [
  'request_approval',
  'pending',
  'sending_approval_request',
  'approved',
  'rejected',
  'cancelled',
  'expired',
]

const cases = (['desk', 'phone'] as const).flatMap((width) =>
  (['en', 'tr'] as const).map((language) => [width, language] as const),
)

describe.skipIf(!hasChromium()).each(cases)('the shop on a %s in %s', (width, language) => {
  let browser: Browser
  let opened: TestPage
  beforeAll(async () => {
    browser = await openBrowser()
    opened = await openPage(browser, demoOrigin(), { ...widths[width], language })
    await makeOffer(await logInParties(demoOrigin()), 'Offer to look at')
  })
  afterAll(() => browser.close())

  /** Takes pictures of a screen. @returns what is wrong with it. */
  const look = async (path: string, name: string) => {
    const { page, complaints } = opened
    complaints.length = 0
    await goInside(page, path)
    await untilSettled(page)
    const violations: string[] = []
    for (const scheme of schemes) {
      await page.emulateMedia({ colorScheme: scheme })
      await takePicture(page, `${name}-${width}-${language}-${scheme}`)
      violations.push(...(await violationsOf(page, rulesOf[scheme])).map((one) => `${scheme}: ${one}`))
    }
    const small = width === 'phone' ? await smallTargets(opened) : []
    return { violations, complaints, overflow: await overflowOf(opened), small }
  }
  const nothing = { violations: [], complaints: [], overflow: 0, small: [] }

  test.each(openPaths)('%s has nothing that axe or the browser complains about, and fits', async (path) => {
    expect(await look(path, nameOf(path))).toEqual(nothing)
  })

  describe('with a session', () => {
    beforeAll(() => logInToShop(opened.page, readers[language]))

    test.each(paths)('%s has nothing that axe or the browser complains about, and fits', async (path) => {
      expect(await look(path, nameOf(path))).toEqual(nothing)
    })

    test('so has a quotation in each state', async () => {
      const call = await logInToApi(demoOrigin(), readers[language])
      let looked = 0
      for (const status of statuses) {
        const { results } = await call<{ results: readonly { id: number }[] }>(
          `GET /api/v1/my-quotations/?scope=tree&status=${status}&limit=1`,
        )
        for (const { id } of results) {
          expect([status, await look(`/shop/quotations/${id}`, `shop-quotation-${status}`)]).toEqual([status, nothing])
          looked += 1
        }
      }
      expect(looked).toBeGreaterThan(3)
    })

    test.runIf(width === 'phone')('it can be read from right to left: nothing is wider than the page', async () => {
      const { page } = opened
      for (const path of paths) {
        await goInside(page, path)
        await untilSettled(page)
        await page.evaluate(() => (document.documentElement.dir = 'rtl'))
        expect([path, await overflowOf(opened)]).toEqual([path, 0])
        await takePicture(page, `${nameOf(path)}-rtl-${language}`)
      }
      await page.evaluate(() => (document.documentElement.dir = 'ltr'))
    })
  })
})

const nameOf = (path: string): string => path.slice(1).replaceAll(/[/?&#=]+/g, '-')

const overflowOf = ({ page }: TestPage): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/** Buttons, fields and links on lines of their own that are lower than a thumb is wide. */
const smallTargets = ({ page }: TestPage): Promise<readonly string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('button, select, textarea, input:not([type=checkbox]), nav a, li > a')]
      .filter((element) => element.checkVisibility() && element.getBoundingClientRect().height < 42)
      .map((element) => `${element.tagName} ${element.textContent.trim().slice(0, 30)}`),
  )
