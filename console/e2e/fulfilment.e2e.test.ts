import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { superuser } from '../../server/demo/logins.ts'
import { demoOrigin, logIn, openBrowser, openPage } from './support/browser.ts'
import { hasChromium } from './support/chromium.ts'
import { untilSettled } from './support/settled.ts'

describe.skipIf(!hasChromium())('fulfilment', () => {
  let browser: Browser
  let page: Page
  beforeAll(async () => {
    browser = await openBrowser()
    page = (await openPage(browser, demoOrigin())).page
    // Each step of a package asks for a board of six columns again.
    page.setDefaultTimeout(45_000)
    await logIn(page, superuser)
  })
  afterAll(() => browser.close())

  const field = (name: string) => page.getByRole('textbox', { name, exact: true })
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const title = (name: string | RegExp) => page.getByRole('heading', { level: 2, name }).waitFor()
  const main = () => page.getByRole('main')

  test('a package is planned, handed over, packed, announced to a carrier and shipped', async () => {
    await page.goto('/packages/new')
    await field('Order').fill('E2E-1')
    await page.getByRole('combobox', { name: 'Sku' }).fill('BED-OAK')
    await page.getByRole('option', { name: /BED-OAK/ }).click()
    await field('Pieces').fill('2')
    await press('Plan the package')
    await title('Planned, waits for a location')
    await press('Hand to a location')
    await page.getByRole('dialog').getByRole('combobox', { name: 'Location' }).click()
    await page.getByRole('option', { name: /IST-GEBZE/ }).click()
    await press('Hand over')
    await title('At IST-GEBZE, waits to be packed')
    await press('Pack')
    await title('Packed, waits for a carrier')
    await press('Create the shipment')
    await field('Carrier').fill('DHL')
    await press('Announce the shipment')
    await title('Packed, waits to be shipped')
    await press('Ship 2 pieces')
    await title('Shipped from IST-GEBZE')
    await page.getByText('package.status.shipped').waitFor()
    expect(new URL(page.url()).pathname).toMatch(/^\/packages\/\d+$/)
  }, 180_000)

  test('what a package does not allow stays where it is and says why', async () => {
    const pack = page.getByRole('button', { name: 'Pack', exact: true })
    expect(await pack.getAttribute('aria-disabled')).toBe('true')
    await pack.hover()
    await page.getByRole('tooltip', { name: /this one is shipped/ }).waitFor()
  })

  test('a sku that no location has had is refused beside its field', async () => {
    await page.goto('/packages/new')
    await field('Order').fill('E2E-2')
    await page.getByRole('combobox', { name: 'Sku' }).fill('NO-SUCH-SKU')
    await press('Plan the package')
    await page.getByText('No stock location has ever had this sku.').waitFor()
    // What was typed is kept.
    expect(await field('Order').inputValue()).toBe('E2E-2')
  })

  test('a column becomes the list of its status, which has as many rows as it said', async () => {
    await page.goto('/transfers')
    await untilSettled(page)
    const column = main().getByRole('region', { name: 'Arrived' })
    await column.getByRole('button', { name: /\d more: show as list/ }).waitFor()
    const [, count = ''] = /(\d+) more: show as list/.exec((await column.textContent()) ?? '') ?? []
    const all = Number(count) + (await column.getByRole('listitem').count())
    await column.getByRole('button', { name: /show as list/ }).click()
    const matching = main().getByText(/^\d+ match$/)
    const shown = Number.parseInt(await matching.innerText(), 10)
    // The company goes on working: some more may have arrived since.
    expect(shown).toBeGreaterThanOrEqual(all)
    expect(shown).toBeLessThan(all + 10)
    expect(new URL(page.url()).search).toBe('?view=list&status=transferred')
  })

  test('what was counted is booked with its reason', async () => {
    await page.goto('/stock_locations/5')
    await page.getByRole('button', { name: 'Adjust' }).first().click()
    await page.getByRole('combobox', { name: 'Sku' }).fill('BED-OAK')
    await page.getByRole('option', { name: /BED-OAK/ }).click()
    await field('Pieces').fill('3')
    await field('Reason').fill('Counted by hand')
    await press('Add 3')
    await page.getByText(/BED-OAK: \d+ on hand/).waitFor()
    await press('Ledger')
    const booked = main().getByRole('row').filter({ hasText: 'Counted by hand' }).first()
    await booked.waitFor()
    expect(await booked.textContent()).toContain('+3')
  })
})
