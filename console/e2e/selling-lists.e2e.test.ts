import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { colleagues, superuser } from '../../server/demo/logins.ts'
import { logInToApi, type ApiCall } from './support/api.ts'
import { violationsOf } from './support/axe.ts'
import { demoOrigin, logIn, openBrowser, openPage } from './support/browser.ts'
import { hasChromium } from './support/chromium.ts'
import { untilSettled } from './support/settled.ts'

interface Quotation {
  readonly id: number
  readonly number: string
  readonly status: string
  readonly assignee: { readonly email: string } | null
}

/** A server can be tried more than once. */
const run = randomUUID().slice(0, 8)

describe.skipIf(!hasChromium())('lists of a seller', () => {
  let browser: Browser
  let page: Page
  let complaints: readonly string[]
  let call: ApiCall
  beforeAll(async () => {
    browser = await openBrowser()
    const opened = await openPage(browser, demoOrigin())
    ;({ page, complaints } = opened)
    call = await logInToApi(demoOrigin(), superuser)
    await logIn(page, superuser)
  })
  afterAll(() => browser.close())

  const press = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' }).click()
  const dialog = () => page.getByRole('dialog')
  const read = (id: number) => call<Quotation>(`GET /api/v1/quotations/${id}/`)

  /** Drafts of this test alone, found by their name. */
  const makeDrafts = async (name: string, count: number): Promise<readonly Quotation[]> => {
    const { results } = await call<{ results: readonly Quotation[] }>('GET /api/v1/quotations/?status=pending&limit=1')
    const drafts: Quotation[] = []
    for (let made = 0; made < count; made++) {
      const { id } = await call<Quotation>(`POST /api/v1/quotations/${results[0]?.id}/duplicate/`)
      drafts.push(await call<Quotation>(`PATCH /api/v1/quotations/${id}/`, { name }))
    }
    return drafts
  }
  const chooseAll = async (name: string, count: number): Promise<void> => {
    await page.goto(`/quotations?name=${encodeURIComponent(name)}`)
    await expect.poll(() => page.getByRole('checkbox', { name: 'Select this row' }).count()).toBe(count)
    await page.getByRole('checkbox', { name: 'Select all rows of this page' }).click()
  }

  test('several are rejected with one reason, but not the one that was decided meanwhile', async () => {
    const drafts = await makeDrafts(`Rejected at once ${run}`, 3)
    await chooseAll(`Rejected at once ${run}`, 3)
    await press('Reject 3…')
    await dialog().getByRole('textbox', { name: 'Reason' }).fill('Sold out until spring.')
    const [decided] = drafts
    // Somebody else is quicker.
    await call(`POST /api/v1/quotations/${decided?.id}/reject/`, { reason: 'Asked twice.' })
    await press('Reject 3 quotations')
    await dialog().getByText(`2 rejected, 1 was decided meanwhile: ${decided?.number}.`).waitFor()
    expect(await dialog().getByRole('row').innerText()).toContain('It is now: Rejected.')
    expect(await violationsOf(page)).toEqual([])
    await press('Done')
    const now = await Promise.all(
      drafts.map(({ id }) => call<{ reason: { text: string } }>(`GET /api/v1/quotations/${id}/`)),
    )
    expect(now.map(({ reason }) => reason.text)).toEqual([
      'Asked twice.',
      'Sold out until spring.',
      'Sold out until spring.',
    ])
  })

  test('several are given to a colleague', async () => {
    const drafts = await makeDrafts(`Given at once ${run}`, 2)
    await chooseAll(`Given at once ${run}`, 2)
    await press('Give 2 to…')
    await dialog().getByRole('combobox', { name: 'Who works on them' }).click()
    await page.getByRole('option', { name: colleagues.jonas.email }).click()
    await press('Give 2 quotations')
    await dialog().getByText(`2 given to ${colleagues.jonas.email}.`).waitFor()
    await press('Done')
    const now = await Promise.all(drafts.map(({ id }) => read(id)))
    expect(now.map(({ assignee }) => assignee?.email)).toEqual([colleagues.jonas.email, colleagues.jonas.email])
  })

  test('it is stopped between one and the next, and the rest stays as it was', async () => {
    const drafts = await makeDrafts(`Stopped ${run}`, 3)
    await chooseAll(`Stopped ${run}`, 3)
    const second = Promise.withResolvers<undefined>()
    let sent = 0
    await page.route('**/api/v1/quotations/*', async (route) => {
      if (route.request().method() === 'PATCH' && ++sent === 2) await second.promise
      await route.continue()
    })
    await press('Give 3 to…')
    await press('Give 3 quotations')
    await dialog().getByText('1 of 3').waitFor()
    await press('Stop')
    second.resolve(undefined)
    await dialog().getByText('2 given to deniz@lodos.example (you), 1 left as it was.').waitFor()
    await press('Done')
    await page.unrouteAll()
    const now = await Promise.all(drafts.map(({ id }) => read(id)))
    expect(now.filter(({ assignee }) => assignee === null)).toHaveLength(1)
  })

  test('what the list is narrowed to becomes a file', async () => {
    const drafts = await makeDrafts(`Exported to a file ${run}`, 2)
    await page.goto(`/quotations?name=Exported+to+a+file+${run}`)
    await press('Export…')
    await page.getByRole('radio', { name: /^csv/ }).click()
    await page.getByRole('checkbox', { name: 'Division' }).click()
    await press('Export 2 rows')
    const first = page.getByRole('main').getByRole('row').nth(1)
    await expect.poll(() => first.innerText()).toMatch(/csv[^]*Ready[^]*2/)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      first.getByRole('link', { name: 'Fetch csv' }).click(),
    ])
    const text = await readFile(await download.path(), 'utf8')
    expect(text.split('\n')[0]).toContain('division')
    for (const { number } of drafts) expect(text).toContain(number)
    // The same once more.
    const before = await page.getByRole('main').getByRole('row').count()
    await first.getByRole('button', { name: 'Again' }).click()
    await expect.poll(() => page.getByRole('main').getByRole('row').count()).toBe(before + 1)
  })

  test('a sheet that is too small is told before the export begins', async () => {
    const rows = 70_000
    await page.route('**/quotations/export/rows*', (route) =>
      route.fulfill({ json: { rows, formats: ['csv', 'xlsx'] } }),
    )
    await page.goto('/exports/new?format=xls')
    await page.getByRole('heading', { name: 'An xls cannot hold 70,000 rows' }).waitFor()
    expect(await page.getByRole('button', { name: 'Export 70,000 rows' }).getAttribute('aria-disabled')).toBe('true')
    await press('Take csv')
    expect(await page.getByRole('button', { name: 'Export 70,000 rows' }).getAttribute('aria-disabled')).toBe('false')
    expect(await page.getByRole('radio', { name: /^csv/ }).isChecked()).toBe(true)
    await page.unrouteAll()
  })

  test('a table with a mistake is mended where it stands, and loaded', async () => {
    await page.goto('/products/import')
    const table = `remote_id,name,price,currency\r\n${run}-1,Oak lamp,49.90,EUR\r\n${run}-2,Elm lamp,many,EUR\r\n`
    await page
      .getByLabel('Choose a csv…')
      .setInputFiles({ name: 'lamps.csv', mimeType: 'text/csv', buffer: Buffer.from(table) })
    await page.getByRole('heading', { name: '1 will be created and 1 row is wrong.' }).waitFor()
    const cell = page.getByRole('textbox', { name: 'Row 3, price' })
    expect(await cell.getAttribute('aria-invalid')).toBe('true')
    await page.getByText('Expected an amount of 0 or more').waitFor()
    expect(await violationsOf(page)).toEqual([])
    await cell.fill('59.90')
    await press('Check again')
    await page.getByRole('heading', { name: '2 will be created.' }).waitFor()
    // Only looked at so far.
    expect(await call(`GET /api/v1/products/?remote_id=${run}-2`)).toMatchObject({ count: 0 })
    await press('Load 2 rows')
    await page.getByRole('heading', { name: '2 were created.' }).waitFor()
    expect(await call(`GET /api/v1/products/?remote_id=${run}-2`)).toMatchObject({
      results: [{ name: 'Elm lamp', price: '59.90' }],
    })
  })

  test('the tree of divisions is walked, folded and opened by keys', async () => {
    const { results } = await call<{ results: readonly { root: number }[] }>(
      'GET /api/v1/divisions/?ordering=id&limit=1',
    )
    await page.goto(`/divisions?root=${results[0]?.root}`)
    await untilSettled(page)
    const lines = page.getByRole('treegrid').locator('[data-row-link]')
    const company = lines.first()
    const all = await lines.count()
    await company.focus()
    await page.keyboard.press('ArrowLeft')
    expect(await company.getAttribute('aria-expanded')).toBe('false')
    expect(await lines.count()).toBeLessThan(all)
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => lines.count()).toBe(all)
    await page.keyboard.press('ArrowDown')
    const branch = lines.nth(1)
    expect(await branch.evaluate((line) => line === document.activeElement)).toBe(true)
    expect(await branch.getAttribute('aria-level')).toBe('2')
    await page.keyboard.press('Enter')
    const name = await branch.getByRole('link').innerText()
    await page.getByRole('heading', { level: 2, name }).waitFor()
    expect(await violationsOf(page)).toEqual([])
    await page.keyboard.press('Escape')
    await expect.poll(() => branch.evaluate((line) => line === document.activeElement)).toBe(true)
  })

  test('none of it made the browser complain', () => {
    // What was refused because it was changed meanwhile.
    expect(complaints.filter((words) => !words.includes('412'))).toEqual([])
  })
})
