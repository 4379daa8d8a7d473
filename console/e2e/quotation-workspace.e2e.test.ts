import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { operator, superuser } from '../../server/demo/logins.ts'
import type { ApiCall } from './support/api.ts'
import { violationsOf } from './support/axe.ts'
import { demoOrigin, logIn, openBrowser, openPage, type TestPage } from './support/browser.ts'
import { hasChromium } from './support/chromium.ts'
import { tabTo } from './support/focus.ts'
import { makeDraft, type Draft } from './support/make-draft.ts'
import { untilSettled } from './support/settled.ts'

interface Saved {
  readonly status: string
  readonly net_amount: string
  readonly items: readonly {
    readonly id: number
    readonly price: string
    readonly divisions: readonly { readonly quantity: number }[]
  }[]
}

describe.skipIf(!hasChromium())('the workspace of a quotation', () => {
  let browser: Browser
  let opened: TestPage
  let page: Page
  let draft: Draft
  let seller: ApiCall
  beforeAll(async () => {
    browser = await openBrowser()
    opened = await openPage(browser, demoOrigin())
    page = opened.page
    await logIn(page, superuser)
  })
  afterAll(() => browser.close())
  afterEach(() => {
    const complaints = opened.complaints.splice(0)
    if (complaints.length > 0) throw new Error(complaints.join('\n'))
  })

  const begin = async (lines: number, divisions = 2): Promise<void> => {
    const made = await makeDraft(demoOrigin(), { lines, divisions, name: `Sheet of ${lines} lines` })
    draft = made.draft
    seller = made.seller
  }
  const open = async (): Promise<void> => {
    await page.goto(`/quotations/${draft.id}`)
    await grid().waitFor()
  }
  const grid = (): Locator => page.getByRole('grid', { name: 'Lines' })
  /** The text of a cell; rows and columns from 1, the head not counted. */
  const cell = (row: number, column: number): Promise<string> =>
    grid()
      .locator(`[aria-rowindex="${row + 1}"] [aria-colindex="${column}"]`)
      .innerText()
  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key)
  }
  const total = (): Promise<string> =>
    page.getByRole('complementary').locator('dt', { hasText: 'Total' }).locator('+ dd').innerText()
  const saved = (): Promise<Saved> => seller<Saved>(`GET /api/v1/quotations/${draft.id}`)
  const save = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
  }

  test('is worked in by keyboard alone, from the list to the offer that is sent', async () => {
    await begin(4)
    await page.goto('/quotations?status=draft')
    await page.locator(`[data-row-link="/quotations/${draft.id}"]`).focus()
    await press('Enter')
    await grid().waitFor()
    expect(new URL(page.url()).search).toBe('?status=draft')
    await page.getByText(/\d+ of \d+/).waitFor()
    await tabTo(page, grid())

    // Product 1 costs 1.00; 1 and 1 pieces. Columns: product, two divisions, together, list, price, discount, sum.
    await press('ArrowRight', '1', '5', '0', 'Enter')
    expect([await cell(1, 2), await cell(1, 4), await cell(1, 8)]).toEqual(['150', '151', '151.00'])
    await press('F2', 'Escape', '2', '0', 'Tab', '7', 'Enter')
    expect([await cell(2, 2), await cell(2, 3)]).toEqual(['20', '7'])

    await page.evaluate(() => navigator.clipboard.writeText('30\t3\r\n40\t4\r\n'))
    await press('Home', 'ArrowRight', 'Control+v')
    expect([await cell(3, 2), await cell(3, 3), await cell(4, 2), await cell(4, 3)]).toEqual(['30', '3', '40', '4'])
    await press('Control+z')
    expect([await cell(3, 2), await cell(4, 2)]).toEqual(['3', '4'])
    await press('Control+v', 'End', 'ArrowLeft', '1', '0', 'Enter', 'ArrowLeft', '2', '.', '5', '0', 'Enter')
    // 33 × 3.00 less 10 %; 44 × 2.50.
    expect([await cell(3, 7), await cell(3, 8), await cell(4, 8)]).toEqual(['10%', '89.10', '110.00'])

    // 151.00 + 27 × 2.00 + 89.10 + 110.00, less 5 %.
    await expect.poll(total).toBe('€404.10')
    await tabTo(page, page.getByRole('textbox', { name: 'Discount on the whole' }))
    await page.keyboard.type('5%')
    await page.getByText('€404.10 becomes €383.89').waitFor()
    await press('Enter')
    await expect.poll(total).toBe('€383.89')

    await tabTo(page, page.getByRole('button', { name: 'Save changes' }))
    await press('Enter')
    await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
    const { net_amount: net, items } = await saved()
    expect(net).toBe('383.89')
    expect(items.map(({ price, divisions }) => [price, ...divisions.map(({ quantity }) => quantity)])).toEqual([
      ['1.00', 150, 1],
      ['2.00', 20, 7],
      ['3.00', 30, 3],
      ['2.50', 40, 4],
    ])

    await page.getByRole('heading', { level: 1 }).focus()
    await tabTo(page, page.getByRole('button', { name: 'Send to the buyer…' }))
    await press('Enter')
    await page.getByRole('dialog').getByText('Becomes 2 orders').waitFor()
    await press('Tab', 'Enter')
    await page.getByRole('heading', { level: 1, name: /^Waits for the buyer/ }).waitFor()
    expect((await saved()).status).toBe('sending_approval_request')
  })

  test('says what is wrong in a cell, and keeps it until it is right', async () => {
    await begin(2)
    await open()
    await grid().focus()
    await press('ArrowRight', '1', '.', '5', 'Enter')
    await page.getByRole('alert').getByText('A whole number, at most 1,000,000').waitFor()
    await press('Backspace', 'Backspace', '2', 'Enter')
    expect(await cell(1, 2)).toBe('12')
    await press('Delete')
    expect(await cell(2, 2)).toBe('–')
    await page.getByRole('navigation').getByRole('link', { name: 'Packages' }).click()
    const question = page.getByRole('dialog', { name: 'Leave without saving?' })
    await question.getByRole('button', { name: 'Keep editing' }).click()
    await question.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'History' }).click()
    await page.getByRole('heading', { name: 'What the buyer was offered' }).waitFor()
    await page.getByRole('link', { name: /^Lines/ }).click()
    expect(await cell(1, 2)).toBe('12')
  })

  test('takes rows of a sheet, and adds a product that is found', async () => {
    await begin(3)
    await open()
    await page.getByRole('button', { name: 'Paste from a sheet' }).click()
    const dialog = page.getByRole('dialog')
    const [first, second] = draft.items
    await dialog.getByRole('textbox').fill(`SKU\tFirst\n${first?.sku}\t11\nNOT-THERE\t5\n${second?.sku}\t12`)
    await dialog.getByRole('button', { name: 'Take 3 rows' }).click()
    await dialog.getByText('Row 3: no product has the SKU NOT-THERE, or it is not sold in EUR.').waitFor()
    expect(await dialog.getByRole('textbox').inputValue()).toBe('NOT-THERE\t5')
    await dialog.getByRole('textbox').fill('')
    await press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect([await cell(1, 2), await cell(2, 2), await cell(3, 2)]).toEqual(['11', '12', '3'])

    await page.getByRole('button', { name: 'Add a product' }).click()
    await page.getByRole('textbox', { name: 'Product' }).fill('oak dining chair')
    await page
      .getByRole('option', { name: /^Oak dining chair/ })
      .first()
      .waitFor()
    await press('Enter')
    await dialog.getByRole('textbox').first().fill('2')
    await press('Enter')
    await dialog.waitFor({ state: 'detached' })
    expect(await cell(4, 1)).toContain('Oak dining chair')

    await page.getByRole('button', { name: 'Add a division' }).click()
    await page.getByRole('menuitem').first().click()
    await grid().focus()
    await press('Control+Home', 'ArrowRight', 'ArrowRight', 'ArrowRight', '6', 'Enter')
    expect(await cell(1, 4)).toBe('6')
    await save()
    const { items } = await saved()
    expect(items.map(({ divisions }) => divisions[0]?.quantity)).toEqual([11, 12, 3, 2])
    expect(items[0]?.divisions.map(({ quantity }) => quantity)).toEqual([11, 1, 6])
  })

  test('tells what another changed meanwhile, lets one choose, and saves on top', async () => {
    await begin(3)
    await open()
    const [one, two] = draft.items
    await grid().focus()
    // Prices of lines 1 and 2.
    await press('End', 'ArrowLeft', 'ArrowLeft', '5', 'Enter', '6', 'Enter')
    // A page reads what it shows once more after two seconds; what comes later is told by the stream.
    await page.waitForTimeout(3_000)
    await seller(`PATCH /api/v1/quotations/${draft.id}`, {
      items: [
        { id: one?.id, price: '4.00' },
        { id: two?.id, divisions: (await saved()).items[1]?.divisions.map((share) => ({ ...share, quantity: 9 })) },
      ],
    })
    const group = page.getByRole('group', { name: `${one?.product}, Price` })
    await group.waitFor()
    expect(await page.getByRole('button', { name: 'Save changes' }).getAttribute('aria-disabled')).toBe('true')
    await page.getByText('1 → 9', { exact: false }).first().waitFor()
    expect([await cell(1, 6), await cell(2, 6), await cell(2, 2)]).toEqual(['5.00', '6.00', '9'])
    await group.getByRole('button', { name: 'Take theirs, €4.00' }).click()
    await group.waitFor({ state: 'detached' })
    await save()
    const { items } = await saved()
    expect(items.map(({ price }) => price)).toEqual(['4.00', '6.00', '3.00'])
    expect(items[1]?.divisions.map(({ quantity }) => quantity)).toEqual([9, 9])
  })

  test('learns at saving what another changed where the stream does not say it, and keeps what was typed', async () => {
    await begin(2)
    const shared = opened
    opened = await openPage(browser, demoOrigin())
    page = opened.page
    try {
      await logIn(page, superuser)
      await page.route('**/api/v1/stream*/**', (route) => route.abort())
      await page.route('**/api/v1/stream?*', (route) => route.abort())
      await open()
      await grid().focus()
      await press('ArrowRight', '8', '0', 'Enter')
      await seller(`PATCH /api/v1/quotations/${draft.id}`, { items: [{ id: draft.items[1]?.id, price: '1.50' }] })
      await page.getByRole('button', { name: 'Save changes' }).click()
      await page.getByText('Not saved yet: somebody changed this quotation meanwhile.').waitFor()
      await page.getByRole('heading', { name: 'Somebody else changed this quotation while you edit it' }).waitFor()
      expect([await cell(1, 2), await cell(2, 6)]).toEqual(['80', '1.50'])
      await save()
      expect((await saved()).items.map(({ price, divisions }) => [price, divisions[0]?.quantity])).toEqual([
        ['1.00', 80],
        ['1.50', 2],
      ])
      expect(opened.complaints.join()).toContain('412')
    } finally {
      await opened.context.close()
      opened = shared
      page = shared.page
    }
  })

  test('shows a decision that somebody else has taken, and who else looks', async () => {
    await begin(2)
    await open()
    const other = await openPage(browser, demoOrigin())
    await logIn(other.page, operator)
    await other.page.goto(`/quotations/${draft.id}`)
    await other.page.getByRole('status').getByText('Deniz Kaya').waitFor()
    // She reads Turkish, and is no superuser.
    expect(await other.page.getByRole('button', { name: 'Ürün ekle' }).getAttribute('aria-disabled')).toBe('true')
    await other.context.close()

    await grid().focus()
    await press('ArrowRight', '7', 'Enter')
    await seller(`POST /api/v1/quotations/${draft.id}/reject`, { reason: 'Found cheaper.' })
    await page.getByRole('heading', { level: 1, name: 'Rejected' }).waitFor()
    await page.getByText('Found cheaper.').waitFor()
    await page.getByText('your changes are kept here').waitFor()
    await page.getByRole('button', { name: 'Discard' }).click()
  })

  test('has no line that axe complains about, edited or not, and prints an offer alone', async () => {
    await begin(3)
    await open()
    await untilSettled(page)
    expect(await violationsOf(page)).toEqual([])
    await grid().focus()
    await press('ArrowRight', '7', 'Enter', '8')
    expect(await violationsOf(page)).toEqual([])
    await press('Escape')
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
    await page.emulateMedia({ media: 'print' })
    expect(await page.getByRole('heading', { level: 1 }).allInnerTexts()).toEqual([`Offer ${draft.number}`])
    expect(await page.getByRole('navigation').count()).toBe(0)
    expect(await page.getByRole('row').count()).toBe(4)
    await page.emulateMedia({ media: 'screen' })
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
    await page.getByRole('button', { name: 'Discard' }).click()
  })

  test('has room for 1,000 lines: the last is edited, and the total is that of the server', async () => {
    await begin(1_000, 1)
    await open()
    expect(await grid().getAttribute('aria-rowcount')).toBe('1001')
    expect(await grid().getByRole('row').count()).toBeLessThan(120)
    await grid().focus()
    await press('Control+End', 'ArrowLeft', 'ArrowLeft', '1', '2', '.', '3', '4', 'Enter')
    expect(await cell(1_000, 4)).toBe('12.34')
    await expect.poll(total).toMatch(/34$/)
    const shown = await total()
    await save()
    const { net_amount: net, items } = await saved()
    expect(items.at(-1)?.price).toBe('12.34')
    expect(shown).toBe(`€${Number(net).toLocaleString('en', { minimumFractionDigits: 2 })}`)
    const isBlank = await grid().evaluate(async (box) => {
      const { left, top } = box.getBoundingClientRect()
      for (let to = 0; to < box.scrollHeight; to += 700) {
        box.scrollTop = to
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
        if (document.elementFromPoint(left + 200, top + 200)?.closest('[role="row"]') === null) return true
      }
      return false
    })
    expect(isBlank).toBe(false)
  })
})
