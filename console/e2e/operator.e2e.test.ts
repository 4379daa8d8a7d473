import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { superuser } from '../../server/demo/logins.ts'
import { eventually } from '#testing/eventually.ts'
import { makeReceiver, type Receiver } from '#testing/receiver.ts'
import { logInToApi } from './support/api.ts'
import { demoOrigin, logIn, openBrowser, openPage } from './support/browser.ts'
import { hasChromium } from './support/chromium.ts'

/** As many failures in a row as make an endpoint a failing one. */
const events = 5

describe.skipIf(!hasChromium())('an operator whose endpoint fails', () => {
  let browser: Browser
  let page: Page
  let receiver: Receiver
  /** Its name on the screens. */
  let endpoint: string
  beforeAll(async () => {
    browser = await openBrowser()
    page = (await openPage(browser, demoOrigin())).page
    receiver = await makeReceiver({ status: 500, body: '{"problem": "the printer is out of paper"}' })
    endpoint = new URL(receiver.url).host
    await makeFailures(receiver)
    await logIn(page, superuser)
  })
  afterAll(() => browser.close())

  test('learns on Home that one fails, and finds which', async () => {
    await page
      .getByRole('main')
      .getByRole('link', { name: /subscriptions? fails?$/ })
      .click()
    const row = page.getByRole('row', { name: endpoint })
    expect(await row.innerText()).toContain('Failing')
    await row.getByRole('link').first().click()
    const title = page.getByRole('heading', { level: 1, name: /^Failing since/ })
    expect(await title.innerText()).toContain(`the last ${events} tries failed`)
  })

  test('reads why a delivery failed: in a sentence, and in what the endpoint said', async () => {
    await page.getByRole('link', { name: 'All of them' }).click()
    await page.getByRole('button', { name: `Failed ${events}`, exact: true }).click()
    await page.getByRole('row', { name: 'Failed · 500' }).first().getByRole('link').first().click()
    const details = page.getByRole('complementary')
    expect(await details.getByRole('heading').first().innerText()).toBe('The endpoint answered 500')
    await details.getByRole('tab', { name: 'Response' }).click()
    await expect.poll(() => details.getByRole('tabpanel').innerText()).toContain('the printer is out of paper')
  })

  test('mends it with one press where it is read', async () => {
    receiver.received.length = 0
    receiver.answer({ status: 200 })
    await page.getByRole('complementary').getByRole('button', { name: 'Retry now' }).click()
    await page.getByRole('complementary', { name: 'Delivered at try 2' }).waitFor()
    expect(await receiver.got(1)).toHaveLength(1)
  })

  test('retries the others at once, and is told first how many', async () => {
    await page.getByRole('button', { name: 'Close the details' }).click()
    const others = events - 1
    await page.getByRole('button', { name: `Retry all ${others}…` }).click()
    const dialog = page.getByRole('dialog', { name: 'Retry all that match' })
    await dialog.getByText(`${others} deliveries, in about`).waitFor()
    expect(receiver.received).toHaveLength(1)
    await dialog.getByRole('button', { name: `Retry ${others}`, exact: true }).click()
    await dialog.getByText(`Done: ${others} are queued again.`).waitFor()
    const got = await receiver.got(events)
    expect(new Set(got.map(({ headers }) => headers['webhook-id'])).size).toBe(events)
    await page.keyboard.press('Escape')
    // The filter "Failed" has nothing any more.
    await page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
  })

  test('sees that the endpoint is well again', async () => {
    await page.goto('/subscriptions?health=healthy')
    const row = page.getByRole('row', { name: endpoint })
    expect(await row.innerText()).toContain('Well')
  })
})

/** Subscribes a receiver, and lets everything that it gets fail for good at the first try. */
const makeFailures = async ({ url }: Receiver): Promise<void> => {
  const call = await logInToApi(demoOrigin(), superuser)
  const type = `till.receipt_${Date.now()}.printed`
  await call('POST /api/v1/event_types', { name: type, description: 'A receipt of a till was printed.' })
  const hook = await call<{ id: number }>('POST /whisperer/hooks', {
    event_type: type,
    target_url: url,
    retry_countdown_config: { choice: 'fixed', kwargs: { seconds: 1 } },
    config: { max_attempts: 1 },
  })
  await call(
    'POST /api/v1/events',
    Array.from({ length: events }, (_, id) => ({ id: `${type} ${id}`, type, data: { id } })),
  )
  await eventually(async () => {
    const { health } = await call<{ health: string }>(`GET /whisperer/hooks/${hook.id}/health`)
    expect(health).toBe('failing')
  })
}
