import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { superuser } from '../../server/demo/logins.ts'
import { demoOrigin, logIn, openBrowser, openPage } from './support/browser.ts'
import { hasChromium } from './support/chromium.ts'
import { hasFocus } from './support/focus.ts'
import { untilSettled } from './support/settled.ts'

describe.skipIf(!hasChromium())('a form that somebody has changed', () => {
  let browser: Browser
  let page: Page
  beforeAll(async () => {
    browser = await openBrowser()
    page = (await openPage(browser, demoOrigin())).page
    await logIn(page, superuser)
  })
  afterAll(() => browser.close())

  const field = (name: string): Locator => page.getByRole('textbox', { name })
  const question = (): Locator => page.getByRole('dialog', { name: 'Leave without saving?' })
  const answer = (name: string): Promise<void> => question().getByRole('button', { name }).click()
  const path = (): string => new URL(page.url()).pathname

  beforeEach(async () => {
    await page.goto('/stock_locations/new')
    await untilSettled(page)
  })

  test('is left without a question while nothing is changed', async () => {
    await page.getByRole('complementary').focus()
    await page.keyboard.press('Escape')
    await expect.poll(path).toBe('/stock_locations')
    expect(await question().count()).toBe(0)
  })

  test('is kept with what was typed, or discarded, whichever way one leaves', async () => {
    await field('Code').fill('NORTH')
    await field('Name').fill('Northern warehouse')
    await page.getByRole('button', { name: 'Close the details' }).click()
    await question().getByText('2 fields were changed').waitFor()
    await answer('Keep editing')
    await question().waitFor({ state: 'detached' })
    expect(path()).toBe('/stock_locations/new')
    expect(await field('Code').inputValue()).toBe('NORTH')

    await page.getByRole('navigation').getByRole('link', { name: 'Packages' }).click()
    await question().waitFor()
    await page.keyboard.press('Escape')
    await question().waitFor({ state: 'detached' })
    expect(path()).toBe('/stock_locations/new')

    await page.getByRole('navigation').getByRole('link', { name: 'Packages' }).click()
    await answer('Discard')
    await expect.poll(path).toBe('/packages')
  })

  test('is warned of by the browser itself at a reload', async () => {
    await field('Code').fill('NORTH')
    const warning = page.waitForEvent('dialog')
    void page.reload({ timeout: 3_000 }).catch(() => undefined)
    const dialog = await warning
    expect(dialog.type()).toBe('beforeunload')
    await dialog.dismiss()
    expect(await field('Code').inputValue()).toBe('NORTH')
  })

  test('is saved without a question, and then has nothing to lose', async () => {
    const code = `N${Date.now()}`
    await field('Code').fill(code)
    await field('Name').fill('Northern warehouse')
    await page.getByRole('button', { name: 'Add the location' }).click()
    await expect.poll(path).toMatch(/\/stock_locations\/\d+$/)
    expect(await question().count()).toBe(0)
  })

  test('asks in a dialog too, and gives the focus back to the field', async () => {
    await page.goto('/stock_locations/1')
    await untilSettled(page)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await field('Name').fill('Somewhere else')
    await page.keyboard.press('Escape')
    await answer('Keep editing')
    await question().waitFor({ state: 'detached' })
    expect(await hasFocus(field('Name'))).toBe(true)
    await page.keyboard.press('Escape')
    await answer('Discard')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await page.getByText('Somewhere else').count()).toBe(0)
  })
})
