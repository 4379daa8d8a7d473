import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildGuide } from '../../guide/build-guide.ts'
import { violationsOf } from './support/axe.ts'
import { demoOrigin, openBrowser, openPage, type TestPage } from './support/browser.ts'
import { hasChromium } from './support/chromium.ts'
import { hasFocus } from './support/focus.ts'

// The documents as a site, opened from files and from a server.
describe.skipIf(!hasChromium())('the guide', async () => {
  const browser = await openBrowser()
  const scratch = mkdtempSync(join(tmpdir(), 'waybill-guide-'))
  const folder = join(scratch, 'dist')
  let names: readonly string[] = []
  beforeAll(async () => {
    names = await buildGuide(join(import.meta.dirname, '../..'), folder)
  })
  afterAll(async () => {
    await browser.close()
    rmSync(scratch, { recursive: true })
  })
  const places = [
    ['files', () => `${pathToFileURL(folder).href}/`],
    ['a server', () => `${demoOrigin()}/guide/`],
  ] as const

  /** Pages that have every colour are looked at in all sizes and schemes, the others in one, for how they are built. */
  const all = ['index.html', 'a-five-minute-tour.html', 'states.html']
  const structure = ['wcag2a', 'best-practice']

  const search = async (page: Page, words: string): Promise<void> => {
    await page.keyboard.press('/')
    await page.keyboard.type(words)
    await page.getByRole('list', { name: 'What was found' }).getByRole('link').first().waitFor()
  }

  test.each(places)('from %s is found in, read on and copied from by keyboard', async (_, at) => {
    const { page, context, complaints } = await openPage(browser, demoOrigin())
    await page.goto(`${at()}index.html`)
    await search(page, 'replay window')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(/verifying-signatures\.html/)
    await search(page, 'nothing')
    await page.keyboard.press('Escape')
    expect(await hasFocus(page.getByRole('searchbox'))).toBe(true)
    await page.getByRole('link', { name: 'Next' }).click()
    await page.waitForURL(/delivery\.html/)
    await page.getByRole('heading', { level: 1, name: 'Delivery' }).waitFor()

    await page.goto(`${at()}a-five-minute-tour.html`)
    const block = page.locator('figure').first()
    await block.getByRole('button', { name: 'Copy' }).click()
    await block.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('npm start')
    expect(complaints).toEqual([])
    await context.close()
  })

  test.each([
    [1280, 'light'],
    [1280, 'dark'],
    [390, 'light'],
    [390, 'dark'],
  ] as const)('has nothing that keeps people out at %d px in %s, and fits', async (width, scheme) => {
    const { page, context } = await openPage(browser, demoOrigin(), { width, scheme })
    const turn = (width === 390 ? 2 : 0) + (scheme === 'dark' ? 1 : 0)
    for (const name of names.filter((one, index) => all.includes(one) || index % 4 === turn)) {
      await page.goto(pathToFileURL(join(folder, name)).href)
      expect(await violationsOf(page, all.includes(name) ? undefined : structure), `on ${name}`).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth), `on ${name}`).toBeLessThanOrEqual(width)
    }
    await search(page, 'retry')
    expect(await violationsOf(page), 'what was found').toEqual([])
    await context.close()
  })

  test('has its contents behind a button on a phone', async () => {
    const { page, context }: TestPage = await openPage(browser, demoOrigin(), { width: 390, hasTouch: true })
    await page.goto(`${demoOrigin()}/guide`)
    const contents = page.getByRole('navigation', { name: 'Contents' })
    expect(await contents.isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Contents' }).tap()
    await contents.getByRole('link', { name: 'Operating' }).tap()
    await page.waitForURL(/\/guide\/operating\.html$/)
    expect(await contents.isVisible()).toBe(false)
    // What the examples call by the address of a server at home is this server.
    await page.goto(`${demoOrigin()}/guide/openapi.html`)
    const reference = page.getByRole('link', { name: /\/docs$/ })
    expect(await reference.evaluate((link) => (link as HTMLAnchorElement).href)).toBe(`${demoOrigin()}/docs`)
    await context.close()
  })
})
