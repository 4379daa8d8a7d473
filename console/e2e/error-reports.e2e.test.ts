import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { superuser } from '../../server/demo/logins.ts'
import { demoOrigin, logIn, openBrowser, openPage } from './support/browser.ts'
import { hasChromium } from './support/chromium.ts'
import { untilSettled } from './support/settled.ts'

const causes = '/error_report_groups?q=stock_conflict'

describe.skipIf(!hasChromium())('errors by their cause', () => {
  let browser: Browser
  let page: Page
  beforeAll(async () => {
    browser = await openBrowser()
    const opened = await openPage(browser, demoOrigin())
    page = opened.page
    await logIn(page, superuser)
  })
  afterAll(() => browser.close())

  const heading = () => page.getByRole('heading', { name: /^Report \d+ of \d+/ })
  const position = async (): Promise<readonly number[]> =>
    [...((await heading().textContent()) ?? '').matchAll(/\d+/g)].slice(0, 2).map(([number]) => Number(number))
  const openFirst = async (): Promise<void> => {
    await page.goto(causes)
    await untilSettled(page)
    await page.keyboard.press('J')
    await heading().waitFor()
  }

  test('a report is closed by a key and opened again by another, where one was', async () => {
    await openFirst()
    const [, total = 0] = await position()
    await page.keyboard.press('j')
    await page.getByRole('heading', { name: /^Report 2 of/ }).waitFor()
    const address = page.url()
    await page.keyboard.press('e')
    await page.getByText('1 report is closed.').waitFor()
    await page.getByRole('heading', { name: `Report 2 of ${total - 1}` }).waitFor()
    expect(page.url()).not.toBe(address)
    await page.keyboard.press('u')
    await page.getByText('1 report is open again.').waitFor()
    await page.getByRole('heading', { name: `Report 2 of ${total}` }).waitFor()
    expect(page.url()).toBe(address)
  })

  test('all of a cause are counted before they are closed, and come back', async () => {
    await openFirst()
    const [, total = 0] = await position()
    await page.getByRole('button', { name: `Close all ${total}…` }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(`${total} open reports will be closed.`).waitFor()
    await dialog.getByRole('button', { name: `Close ${total} reports` }).click()
    await page.getByText(`${total} reports are closed.`).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText(`${total} reports are open again.`).waitFor()
    await page.getByRole('button', { name: `Close all ${total}…` }).waitFor()
    expect((await position())[1]).toBe(total)
  })

  test('a place is mapped in two steps, and everything comes back', async () => {
    await page.goto('/error_report_groups')
    await untilSettled(page)
    await page.getByRole('link', { name: /^Townships that/ }).click()
    const field = page.getByRole('combobox', { name: 'Township' })
    await field.waitFor()
    await page.getByRole('heading', { name: /^Report 1 of/ }).waitFor()
    await page.keyboard.press('m')
    await page.keyboard.type('Kadi')
    await page.keyboard.press('Enter')
    await page.getByText('No mapping says “Kadi” until now: look whether it is whole.').waitFor()
    // Enter once more keeps nothing.
    await page.keyboard.press('Enter')
    expect(await page.getByText('means Kadi').count()).toBe(0)
    await page.getByRole('button', { name: 'Use the new name “Kadi” and close 1' }).click()
    await page.getByText('“Kadıkoy” means Kadi from now on. 1 report is closed.').waitFor()
    await page.getByText('names the township “Kadıkoy”. It means Kadi.').waitFor()
    await page.getByRole('button', { name: 'Remove', exact: true }).waitFor()
    await page.keyboard.press('u')
    await page.getByText('TR-34-KDK is not mapped any more. 1 report is open again.').waitFor()
    await field.waitFor()
  })

  test('what comes meanwhile is counted and moves nothing', async () => {
    await openFirst()
    const shown = await heading().textContent()
    const before = await page.getByRole('link', { name: /StockError/ }).textContent()
    await page.evaluate(async () => {
      const call = async <Answer>(method: string, path: string, body?: object): Promise<Answer> => {
        const { csrf_token: token } = (await (await fetch('/api/v1/auth/session/')).json()) as { csrf_token: string }
        const headers = { 'content-type': 'application/json', 'x-csrf-token': token }
        const sent = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
        return (await (await fetch(path, sent)).json()) as Answer
      }
      const path = '/api/v1/error_reports/?error_code=stock_conflict&limit=1'
      const [known] = await call<{ channel: number; [field: string]: unknown }[]>('GET', path)
      await call('POST', `/api/v1/channel/${known?.channel}/error_reports/`, {
        action_content_type: known?.['action_content_type'],
        action_object_id: Math.ceil(Math.random() * 1e9),
        obj_modified_date: new Date().toISOString(),
        error_code: known?.['error_code'],
        error_desc: known?.['error_desc'],
        raw_response: known?.['raw_response'],
      })
    })
    await page.getByRole('button', { name: '1 new: show' }).waitFor()
    expect(await heading().textContent()).toContain(/^Report \d+ of \d+/.exec(shown ?? '')?.[0])
    const row = page.getByRole('link', { name: /StockError.*1 new/ })
    await row.waitFor()
    expect(await row.textContent()).not.toBe(before)
    await page.getByRole('button', { name: '1 new: show' }).click()
    await page.getByRole('button', { name: '1 new: show' }).waitFor({ state: 'detached' })
  })
})
