import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { makeReceiver, type Receiver } from '#testing/receiver.ts'
import { logInToApi } from './support/api.ts'
import { fillLogin, logIn, openBrowser, openPage, type TestPage } from './support/browser.ts'
import { hasChromium } from './support/chromium.ts'
import { administrator, startEmptyServer } from './support/empty-server.ts'
import { makeCompany, people } from './support/make-company.ts'

const phone = { width: 390, height: 844, hasTouch: true }

describe.skipIf(!hasChromium())('a branch, its head office and the seller agree, in two browsers', () => {
  let buyers: Browser
  let sellers: Browser
  let branch: Page
  let headOffice: Page
  let seller: Page
  const opened: TestPage[] = []
  let platform: Receiver
  let server: Awaited<ReturnType<typeof startEmptyServer>>
  beforeAll(async () => {
    platform = await makeReceiver({ status: 422, body: '{"error": "the customer is blocked"}' })
    server = await startEmptyServer({
      COMMERCE_CONNECTOR: 'http',
      COMMERCE_URL: `${platform.url}/`,
      COMMERCE_SECRET: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    })
    await makeCompany(await logInToApi(server.origin, administrator))
    ;[buyers, sellers] = await Promise.all([openBrowser(), openBrowser()])
    const open = async (browser: Browser, setting = {}): Promise<Page> => {
      const one = await openPage(browser, server.origin, setting)
      opened.push(one)
      return one.page
    }
    branch = await open(buyers, phone)
    headOffice = await open(buyers)
    seller = await open(sellers)
  })
  afterAll(async () => {
    await Promise.all([buyers?.close(), sellers?.close()])
    await server?.stop()
  })
  afterEach(() => {
    const complaints = opened.flatMap((one) => one.complaints.splice(0))
    if (complaints.length > 0) throw new Error(complaints.join('\n'))
  })

  const turn = (page: Page): Locator => page.getByRole('region', { name: 'Whose turn it is' })
  /** What a buyer reads of whose turn it is; it arrives by itself. */
  const words = (page: Page) => (): Promise<string> => turn(page).innerText()

  test('the branch fills its basket by touch, and asks', async () => {
    await branch.goto('/shop/login')
    await fillLogin(branch, people.branch)
    await branch.getByRole('button', { name: 'Add Chair to the basket' }).tap()
    const pieces = branch.getByRole('textbox', { name: 'Chair for Oak Ankara' })
    await pieces.fill('30')
    await pieces.blur()
    await branch.getByRole('button', { name: 'Add Desk to the basket' }).tap()
    await branch
      .getByRole('link', { name: /^Basket/ })
      .first()
      .tap()
    await expect.poll(() => branch.getByRole('main').innerText()).toContain('€1,400.00')
    await branch.getByRole('button', { name: 'Ask for a quotation…' }).tap()
    const sheet = branch.getByRole('dialog')
    await sheet.getByText('It goes to your head office first').waitFor()
    await sheet.getByRole('textbox', { name: 'What is it for' }).fill('Lobby')
    await sheet.getByRole('button', { name: 'Ask for the quotation' }).tap()
    await expect.poll(words(branch)).toMatch(/Waits for your head office/)
  })

  test('the head office lets it pass, and the branch sees that at once', async () => {
    await headOffice.goto('/shop/login?next=/shop/approvals')
    await fillLogin(headOffice, people.headOffice)
    await headOffice.getByRole('button', { name: 'Let pass €1,400.00' }).click()
    await headOffice.getByText('It is with the seller now.').waitFor()
    await expect.poll(words(branch)).toMatch(/Waits for the seller/)
  })

  test('the seller sets the terms, and sends them', async () => {
    await logIn(seller, administrator)
    await seller.goto('/quotations?status=pending')
    await seller.getByRole('row', { name: 'Lobby' }).getByRole('link').first().click()
    await seller.getByRole('button', { name: 'Change the terms' }).first().click()
    await seller.getByRole('heading', { level: 1, name: /^Your turn: a draft/ }).waitFor()
    await seller.getByRole('grid', { name: 'Lines' }).focus()
    // The price of the chair.
    for (const key of ['End', 'ArrowLeft', 'ArrowLeft', '3', '5', 'Enter']) await seller.keyboard.press(key)
    await seller.getByRole('button', { name: 'Save changes' }).click()
    await seller.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
    await seller.getByRole('button', { name: 'Send to the buyer…' }).click()
    await seller.getByRole('dialog').getByRole('button', { name: 'Send the offer of €1,250.00' }).click()
    await expect.poll(() => seller.getByRole('heading', { level: 1 }).innerText()).toMatch(/^Waits for the buyer/)
  })

  test('the branch reads what changed, and approves it', async () => {
    await expect.poll(words(branch)).toMatch(/Your turn: approve/)
    await expect.poll(words(branch)).toMatch(/€150\.00 lower/)
    const changed = branch.getByRole('region', { name: /^What changed/ })
    await expect.poll(() => changed.innerText()).toMatch(/Chair[^]*€40\.00[^]*€35\.00/)
    await branch.getByRole('button', { name: 'Approve €1,250.00' }).tap()
    await expect.poll(words(branch)).toMatch(/^Approved/)
  })

  test('the platform refuses the order: the seller reads why, and tries again', async () => {
    await seller
      .getByRole('link', { name: /^Orders/ })
      .last()
      .click()
    await seller.getByRole('heading', { level: 1, name: 'Approved, its order failed' }).waitFor()
    await seller.getByText('422', { exact: false }).first().waitFor()
    await expect
      .poll(() => branch.getByRole('region', { name: 'Its order' }).innerText())
      .toContain('being looked into')
    platform.answer({ status: 201, body: '{"number": "S-1001"}' })
    await seller.getByRole('button', { name: 'Retry', exact: true }).click()
    await seller.getByRole('heading', { level: 1, name: 'Approved, its order has arrived' }).waitFor()
    await seller.getByText('S-1001').waitFor()
  })

  test('the branch has its order, once', async () => {
    await expect
      .poll(() => branch.getByRole('region', { name: 'Its order' }).innerText())
      .toMatch(/31 pieces[^]*ordered/)
    const keys = new Set(platform.received.map(({ headers }) => headers['idempotency-key']))
    expect(keys.size).toBe(1)
    await branch.getByRole('link', { name: 'All orders' }).tap()
    await branch.getByRole('heading', { level: 1, name: 'Orders' }).waitFor()
    await expect.poll(() => branch.getByRole('main').innerText()).toContain('Lobby')
  })
})
