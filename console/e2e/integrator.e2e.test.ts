import type { Browser, Locator, Page } from 'playwright-core'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeReceiver, type Receiver } from '#testing/receiver.ts'
import { logIn, openBrowser, openPage } from './support/browser.ts'
import { hasChromium } from './support/chromium.ts'
import { administrator, startEmptyServer } from './support/empty-server.ts'

describe.skipIf(!hasChromium())('an integrator on a new installation', () => {
  let server: Awaited<ReturnType<typeof startEmptyServer>>
  let browser: Browser
  let page: Page
  let receiver: Receiver
  let secret: string
  beforeAll(async () => {
    server = await startEmptyServer()
    receiver = await makeReceiver()
    browser = await openBrowser()
    page = (await openPage(browser, server.origin)).page
    await logIn(page, administrator)
  })
  afterAll(async () => {
    await browser.close()
    await server.stop()
  })
  const step = (title: string): Locator =>
    page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: title }) })
  const isDone = (title: string): Promise<boolean> => page.getByRole('heading', { name: `${title} (done)` }).isVisible()

  test('is shown the way to the first event, with nothing done', async () => {
    await page.getByRole('heading', { level: 1, name: 'Deliver the first event' }).waitFor()
    expect(await page.getByRole('heading', { name: '(done)' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Subscribe' }).focus()
    await page.keyboard.press('Tab')
    expect(await page.getByRole('tooltip').innerText()).toBe('Subscribe an endpoint first.')
  })

  test('is told what is wrong with an address before anything is subscribed', async () => {
    await page.getByRole('textbox', { name: 'Where events are sent' }).fill('http://user:pass@127.0.0.1/')
    await page.getByRole('button', { name: 'Subscribe' }).click()
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Where events are sent' }).getAttribute('aria-invalid'))
      .toBe('true')
    expect(await isDone('Subscribe an endpoint')).toBe(false)
  })

  test('subscribes an endpoint and takes its secret along', async () => {
    await page.getByRole('textbox', { name: 'Where events are sent' }).fill(receiver.url)
    await page.getByRole('button', { name: 'Subscribe' }).click()
    await step('Subscribe an endpoint').getByRole('button', { name: 'Copy', exact: true }).click()
    await step('Subscribe an endpoint').getByRole('button', { name: 'Copied' }).waitFor()
    secret = await page.evaluate(() => navigator.clipboard.readText())
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/)
    expect(await isDone('Subscribe an endpoint')).toBe(true)
  })

  test('sends a test event, and the page says by itself that it was delivered', async () => {
    await page.getByRole('button', { name: 'Send a test event' }).click()
    await step('See it delivered').getByText('The endpoint answered 200.').waitFor()
    for (const title of ['Send it a test event', 'See it delivered']) await expect.poll(() => isDone(title)).toBe(true)
    expect(await isDone('Look at its signature')).toBe(false)
  })

  test('has got an event that the secret proves genuine', async () => {
    const [got] = await receiver.got(1)
    if (got === undefined) throw new Error('Nothing came.')
    const headers = got.headers as Record<string, string>
    expect(headers['x-waybill-test']).toBe('true')
    expect(() => new Webhook(secret).verify(got.body, headers)).not.toThrow()
    const forged = got.body.toString().replace(/\d/, (digit) => String((Number(digit) + 1) % 10))
    expect(() => new Webhook(secret).verify(forged, headers)).toThrow('No matching signature found')
    // The page shows of it what it may show.
    const shown = step('Look at its signature')
    await expect.poll(() => shown.innerText()).toContain(`webhook-id: ${headers['webhook-id']}`)
  })

  test('computes the same signature at the delivery', async () => {
    await page.getByRole('link', { name: 'Compute it at the delivery' }).click()
    const details = page.getByRole('complementary', { name: 'Delivered at the first try' })
    await details.getByRole('tab', { name: 'Signature', selected: true }).waitFor()
    await details.getByRole('textbox', { name: 'Secret or public key' }).fill(secret)
    const signature = String(receiver.received[0]?.headers['webhook-signature'])
    await details.getByRole('textbox', { name: 'Signature that was received' }).fill(signature)
    await details.getByRole('button', { name: 'Check' }).click()
    await details.getByText('Right for this try').waitFor()
    expect(await details.getByRole('tabpanel').innerText()).toContain(signature)
  })

  test('is not shown the way again when it was gone', async () => {
    await page.goto('/')
    await page.getByRole('heading', { level: 1, name: 'Nothing needs you' }).waitFor()
    expect(await page.getByRole('heading', { name: 'The way to the first delivered event' }).count()).toBe(0)
  })
})
