import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { superuser } from '../../server/demo/logins.ts'
import { demoOrigin, logIn, openBrowser, openPage } from './support/browser.ts'
import { hasChromium } from './support/chromium.ts'
import { hasFocus, tabStops } from './support/focus.ts'
import { untilSettled } from './support/settled.ts'

/** Nothing here presses with a pointer. */
describe.skipIf(!hasChromium())('by keyboard alone', () => {
  let browser: Browser
  let page: Page
  beforeAll(async () => {
    browser = await openBrowser()
    page = (await openPage(browser, demoOrigin())).page
    await logIn(page, superuser)
  })
  afterAll(() => browser.close())

  /** The link of a row of the list, which stands below the table of its chart; the first one opens it. */
  const rowLink = (at: number): Locator =>
    page
      .getByRole('table')
      .last()
      .getByRole('row')
      .nth(at + 1)
      .getByRole('link')
      .first()
  const details = (): Locator => page.getByRole('complementary')
  const press = (key: string): Promise<void> => page.keyboard.press(key)
  const idInAddress = (): string => /\/deliveries\/(\d+)/.exec(page.url())?.[1] ?? ''

  describe('a list with details', () => {
    beforeEach(async () => {
      // A time that has ended, so that nothing new comes.
      await page.goto('/deliveries?created_date__lt=-1h')
      await untilSettled(page)
      await rowLink(2).waitFor()
    })

    test('the first stop leads past the menu', async () => {
      await press('Tab')
      expect(await hasFocus(page.getByRole('link', { name: 'Skip to the page' }))).toBe(true)
      await press('Enter')
      await expect.poll(() => hasFocus(page.getByRole('main'))).toBe(true)
      await press('Tab')
      expect(await hasFocus(page.getByRole('main'))).toBe(true)
    })

    test('j and k walk the rows, Enter opens one, Esc gives the focus back to it', async () => {
      await press('j')
      expect(await hasFocus(rowLink(0))).toBe(true)
      await press('j')
      await press('j')
      await press('k')
      expect(await hasFocus(rowLink(1))).toBe(true)
      await press('Enter')
      await expect.poll(() => hasFocus(details())).toBe(true)
      await details().getByRole('heading').first().waitFor()
      await press('Escape')
      await details().waitFor({ state: 'detached' })
      expect(await hasFocus(rowLink(1))).toBe(true)
    })

    test('j and k walk the details as well, and the focus stays in them', async () => {
      await press('j')
      await press('Enter')
      await expect.poll(idInAddress).not.toBe('')
      const first = idInAddress()
      await press('j')
      await expect.poll(idInAddress).not.toBe(first)
      await expect.poll(() => hasFocus(details())).toBe(true)
      await press('k')
      await expect.poll(idInAddress).toBe(first)
      await press('j')
      await expect.poll(idInAddress).not.toBe(first)
      await press('Escape')
      await details().waitFor({ state: 'detached' })
      expect(await hasFocus(rowLink(1))).toBe(true)
    })

    test('/ opens the search, Esc closes it', async () => {
      await press('/')
      const field = page.getByRole('dialog', { name: 'Find' }).getByRole('combobox')
      await expect.poll(async () => (await field.count()) === 1 && hasFocus(field)).toBe(true)
      await page.keyboard.type('j?')
      expect(await field.inputValue()).toBe('j?')
      await press('Escape')
      await field.waitFor({ state: 'detached' })
      expect(idInAddress()).toBe('')
    })

    test('? lists the keys that work here', async () => {
      await press('?')
      const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
      await dialog.waitFor()
      const words = await dialog.innerText()
      for (const one of ['Next row', 'Previous row', 'Go to the filters', 'Deliveries']) expect(words).toContain(one)
      await press('Escape')
      await dialog.waitFor({ state: 'detached' })
    })

    test('Ctrl-K goes to a delivery by its id', async () => {
      await press('j')
      await press('Enter')
      await expect.poll(idInAddress).not.toBe('')
      const id = idInAddress()
      await page.goto('/settings')
      await untilSettled(page)
      await press('Control+k')
      await page.getByRole('dialog', { name: 'Find' }).getByRole('combobox').waitFor()
      await page.keyboard.type(id)
      await press('Enter')
      await expect.poll(idInAddress).toBe(id)
      await details().getByRole('heading').first().waitFor()
    })

    test('two keys go to a page', async () => {
      await press('g')
      await press('s')
      await page.getByRole('heading', { level: 1, name: 'Subscriptions' }).waitFor()
      expect(new URL(page.url()).pathname).toBe('/subscriptions')
    })
  })

  test('the hours on Home are one stop, and the arrows go between them', async () => {
    await page.goto('/')
    await untilSettled(page)
    const hours = page.getByRole('group', { name: 'Deliveries of the last 24 hours' }).getByRole('link')
    await hours.first().waitFor()
    const last = (await hours.count()) - 1
    await hours.nth(last).focus()
    await press('ArrowLeft')
    await press('ArrowLeft')
    expect(await hasFocus(hours.nth(last - 2))).toBe(true)
    await press('Home')
    expect(await hasFocus(hours.first())).toBe(true)
    await press('Tab')
    expect(await hasFocus(hours.nth(1))).toBe(false)
    await press('Shift+Tab')
    expect(await hasFocus(hours.first())).toBe(true)
    await press('Enter')
    await expect.poll(() => new URL(page.url()).pathname).toBe('/deliveries')
  })

  test('errors are read from their list, one cause and one report after the other', async () => {
    await page.goto('/error_report_groups')
    await untilSettled(page)
    await press('J')
    const report = page.getByRole('heading', { name: /^Report 1 of/ })
    await report.waitFor()
    const first = page.url()
    const cause = page.getByRole('article')
    expect(await hasFocus(cause)).toBe(true)
    await press('Tab')
    expect(await hasFocus(cause.getByRole('button').first())).toBe(true)
    for (const name of ['What was asked', 'What came back']) await page.getByRole('heading', { name }).first().waitFor()
    await press('J')
    await expect.poll(() => page.url()).not.toBe(first)
    await report.waitFor()
    await press('K')
    await expect.poll(() => page.url()).toBe(first)
    await expect.poll(() => hasFocus(cause)).toBe(true)
    await press('Escape')
    await expect.poll(() => new URL(page.url()).pathname).toBe('/error_report_groups')
    const row = page.getByRole('region', { name: 'Error reports' }).getByRole('link').first()
    expect(await hasFocus(row)).toBe(true)
  })

  test('the keys of errors are listed before one is open, and what cannot be done is said', async () => {
    await page.goto('/error_report_groups?q=stock_conflict')
    await untilSettled(page)
    await press('?')
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    const words = await dialog.innerText()
    for (const one of ['Retry all of the cause', 'Close all of the cause', 'Ignore the cause', 'Say which place'])
      expect(words).toContain(one)
    await press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await press('e')
    await page.getByText('Open a cause first: J opens the next one').waitFor()
    await press('J')
    await page.getByRole('heading', { name: /^Report 1 of/ }).waitFor()
    await press('R')
    await page.getByText('A channel reported them: only whoever reported one can try it again').waitFor()
    await press('E')
    await page.getByRole('dialog', { name: 'Close all reports of this cause' }).waitFor()
    await press('Escape')
  })

  test('a retry keeps the focus and cannot be taken back', async () => {
    await page.goto('/error_report_groups?q=delivery')
    await untilSettled(page)
    await press('J')
    await page.getByRole('heading', { name: /^Report 1 of/ }).waitFor()
    await page.getByRole('button', { name: 'Retry', exact: true }).focus()
    await press('r')
    await page.getByText(/^Report \d+ is being tried again/).waitFor()
    expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY')
    await press('u')
    await page.getByText('A retry cannot be taken back.').waitFor()
  })

  test.each(['/', '/deliveries', '/subscriptions', '/error_report_groups', '/account', '/settings', '/users/1'])(
    'one sees where the focus is on %s',
    async (path) => {
      await page.goto(path)
      await untilSettled(page)
      const stops = await tabStops(page, 70)
      expect(stops.length).toBeGreaterThan(15)
      expect(stops.filter(({ isSeen }) => !isSeen)).toEqual([])
    },
  )
})
