import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { otherBuyers, superuser } from '../../server/demo/logins.ts'
import { demoOrigin, fillLogin, logIn, logInToShop, openBrowser, openPage, type TestPage } from './support/browser.ts'
import { hasChromium } from './support/chromium.ts'
import { hasFocus } from './support/focus.ts'
import { ask, logInParties, makeOffer, offer, type Parties } from './support/offers.ts'
import { untilSettled } from './support/settled.ts'

const phone = { width: 390, height: 844, hasTouch: true } as const
const { lukas, anna } = otherBuyers

interface Shown {
  readonly status: string
  readonly seen: { readonly revision: number } | null
}

describe.skipIf(!hasChromium())('a buyer', () => {
  let browser: Browser
  let parties: Parties
  const opened: TestPage[] = []
  beforeAll(async () => {
    browser = await openBrowser()
    parties = await logInParties(demoOrigin())
  })
  afterEach(async () => {
    for (const { context } of opened.splice(0)) await context.close()
  })
  afterAll(() => browser.close())

  const open = async (setting: Parameters<typeof openPage>[2] = phone): Promise<TestPage> => {
    const one = await openPage(browser, demoOrigin(), setting)
    opened.push(one)
    return one
  }
  const openAs = async (login: typeof lukas, path: string, setting?: Parameters<typeof openPage>[2]) => {
    const one = await open(setting)
    await logInToShop(one.page, login)
    await one.page.goto(path)
    await untilSettled(one.page)
    return one
  }
  const shown = (id: number): Promise<Shown> => parties.branch<Shown>(`GET /api/v1/my-quotations/${id}/`)
  const button = (page: Page, name: string | RegExp): Locator => page.getByRole('button', { name })
  const heading = (page: Page, name: string | RegExp): Locator => page.getByRole('heading', { name })

  describe('comes to the shop', () => {
    test('from the login of the console', async () => {
      const { page } = await open()
      await logIn(page, lukas)
      await heading(page, 'Products').waitFor()
      expect(new URL(page.url()).pathname).toBe('/shop')
    })

    test('from a letter, over the login, to the quotation that it is about', async () => {
      const id = await makeOffer(parties, 'By a letter')
      const { page } = await open()
      await page.goto(`/shop/quotations/${id}`)
      await page.waitForURL((url) => url.pathname === '/shop/login')
      await fillLogin(page, lukas)
      await heading(page, 'By a letter').waitFor()
      expect(new URL(page.url()).pathname).toBe(`/shop/quotations/${id}`)
    })

    test('only if they are one: others are told where they work', async () => {
      const { page } = await open()
      await logInToShop(page, superuser)
      await page.getByRole('link', { name: 'Go to the console' }).click()
      await expect.poll(() => new URL(page.url()).pathname).toBe('/')
    })

    test('and goes, by the account', async () => {
      const { page } = await openAs(lukas, '/shop/account')
      await button(page, 'Log out').tap()
      await heading(page, 'Log in to the shop').waitFor()
      await page.goto('/shop/orders')
      await expect.poll(() => new URL(page.url()).pathname).toBe('/shop/login')
    })
  })

  test('asks for a quotation by keyboard alone, from a product to what was sent', async () => {
    const asked = await ask(parties, 'So that the basket is empty')
    await parties.branch(`POST /api/v1/my-quotations/${asked}/cancel/`)
    const { page } = await openAs(lukas, '/shop', {})
    const press = (key: string): Promise<void> => page.keyboard.press(key)
    const tabTo = async (locator: Locator): Promise<void> => {
      await locator.waitFor()
      for (let tries = 0; tries < 60 && !(await hasFocus(locator)); tries += 1) await press('Tab')
      expect(await hasFocus(locator)).toBe(true)
    }
    await tabTo(page.getByRole('searchbox'))
    await page.keyboard.type('walnut bar stool')
    await page.getByRole('status').filter({ hasText: '1 product,' }).waitFor()
    await tabTo(button(page, 'Add Walnut bar stool to the basket'))
    await press('Enter')
    const more = button(page, 'One more')
    await expect.poll(() => hasFocus(more)).toBe(true)
    await press('Enter')
    await expect
      .poll(async () => (await parties.branch<{ total_quantity: number }>('GET /api/v1/basket/')).total_quantity)
      .toBe(2)
    await press('Shift+Tab')
    await page.keyboard.type('12')
    await page.goto('/shop/basket')
    await untilSettled(page)
    await expect.poll(() => page.getByRole('textbox', { name: /Walnut bar stool/ }).inputValue()).toBe('12')
    await tabTo(button(page, 'Ask for a quotation…'))
    await press('Enter')
    await page.getByText('It goes to your head office first').waitFor()
    await tabTo(page.getByRole('textbox', { name: 'What is it for' }))
    await page.keyboard.type('Stools, by keyboard')
    await press('Enter')
    await heading(page, 'Stools, by keyboard').waitFor()
    await page.getByText('Waits for your head office').waitFor()
  })

  test('approves an offer on a phone by touch, and sees before what changed', async () => {
    const id = await makeOffer(parties, 'Spring refit')
    expect((await shown(id)).seen).toBeNull()
    const { page, complaints } = await openAs(lukas, '/shop')
    await page.getByRole('link', { name: /offers? wait/ }).tap()
    await page
      .getByRole('link', { name: /Spring refit/ })
      .first()
      .tap()
    await page.getByRole('region', { name: 'Whose turn it is' }).getByText('Your turn: approve by').waitFor()
    await heading(page, 'What changed since you looked').waitFor()
    await page.getByText('€70.00').first().waitFor()
    await expect.poll(async () => (await shown(id)).seen?.revision).toBe(2)
    // It stays what changed for as long as the page is open, and is known from then on.
    expect(await heading(page, 'What changed since you looked').count()).toBe(1)
    await page.reload()
    await heading(page, 'Changes to the request').waitFor()
    await button(page, /^Approve €/).tap()
    await page.getByText('Approved', { exact: true }).waitFor()
    expect((await shown(id)).status).toBe('approved')
    expect(await button(page, /^Approve/).count()).toBe(0)
    expect(complaints).toEqual([])
  })

  describe('is told what came in between', () => {
    /** A page that does not hear what changes, as one behind a bad network. */
    const openDeaf = async (id: number): Promise<Page> => {
      const { page } = await open()
      await logInToShop(page, lukas)
      await page.route('**/api/v1/stream/**', (route) => route.abort())
      // Once it has said that the terms were seen it reads the quotation again, and then nothing more.
      const read = page.waitForResponse(async (answer) => {
        const isRead = answer.request().method() === 'GET' && new URL(answer.url()).pathname.endsWith(`/${id}`)
        return isRead && answer.url().includes('/api/') && ((await answer.json()) as Shown).seen !== null
      })
      await page.goto(`/shop/quotations/${id}`)
      await read
      await untilSettled(page)
      return page
    }

    test('newer terms: what they are, and nothing is approved', async () => {
      const id = await makeOffer(parties, 'Stale')
      const page = await openDeaf(id)
      await offer(parties, id, '60.00')
      await button(page, /^Approve €/).tap()
      await page.getByText(/The offer changed while you looked/).waitFor()
      await heading(page, 'What changed since you looked').waitFor()
      await page.getByText('€60.00').first().waitFor()
      expect((await shown(id)).status).toBe('sending_approval_request')
      await button(page, /^Approve €/).tap()
      await page.getByText('Approved', { exact: true }).waitFor()
    })

    test('a decision that was taken while they write why not: it closes', async () => {
      const id = await makeOffer(parties, 'Taken while writing')
      const { page } = await openAs(lukas, `/shop/quotations/${id}`)
      await button(page, 'Reject…').tap()
      const sheet = page.getByRole('dialog', { name: /^Reject/ })
      await sheet.getByText('The seller may make another offer.').waitFor()
      await parties.main(`POST /api/v1/my-quotations/${id}/reject/`, { reason: 'Not this year.' })
      await sheet.waitFor({ state: 'detached' })
      await page.getByText('It was rejected meanwhile').waitFor()
      expect(await page.getByRole('alert').count()).toBe(0)
    })

    test('that a request was let pass while they write why not: it closes', async () => {
      const id = await ask(parties, 'Passed while writing')
      const { page } = await openAs(anna, '/shop/approvals')
      await button(page, 'Reject Passed while writing…').tap()
      const sheet = page.getByRole('dialog', { name: /^Reject/ })
      await sheet.waitFor()
      await parties.main(`POST /api/v1/my-quotations/${id}/approve-pending-request/`)
      await sheet.waitFor({ state: 'detached' })
      await page.getByText('It is with the seller now.').waitFor()
      await page.getByRole('link', { name: 'Look at it' }).tap()
      await page.getByRole('link', { name: 'Requests of your branches' }).tap()
      await expect.poll(() => new URL(page.url()).pathname).toBe('/shop/approvals')
    })

    test('a decision that was taken: it is shown, and is no error', async () => {
      const id = await makeOffer(parties, 'Taken')
      const page = await openDeaf(id)
      await parties.main(`POST /api/v1/my-quotations/${id}/reject/`, { reason: 'Not this quarter.' })
      await button(page, /^Approve €/).tap()
      await page.getByText('It was rejected meanwhile').waitFor()
      await page.getByText('Not this quarter.').waitFor()
      expect(await page.getByRole('alert').count()).toBe(0)
      expect(await button(page, /^Approve €/).count()).toBe(0)
    })
  })

  test('hears of an offer without loading the page again', async () => {
    const id = await ask(parties, 'Live')
    await parties.main(`POST /api/v1/my-quotations/${id}/approve-pending-request/`)
    const { page } = await openAs(lukas, `/shop/quotations/${id}`)
    await page.getByText('Waits for the seller').waitFor()
    await offer(parties, id, '71.00')
    await expect.poll(() => page.getByText('Your turn: approve by').count()).toBe(1)
  })

  test('loses nothing that they typed while there is no network', async () => {
    const id = await ask(parties, 'No network')
    const { page, context } = await openAs(lukas, `/shop/quotations/${id}`)
    await page.getByRole('textbox', { name: 'Write to the seller' }).fill('Is Monday possible?')
    await context.setOffline(true)
    await button(page, 'Send').tap()
    await page.getByText('This could not be sent').waitFor()
    await page.getByText(/No connection since/).waitFor({ timeout: 30_000 })
    await context.setOffline(false)
    await page.reload()
    expect(await page.getByRole('textbox', { name: 'Write to the seller' }).inputValue()).toBe('Is Monday possible?')
    await button(page, 'Send').tap()
    await page.getByRole('listitem').filter({ hasText: 'Is Monday possible?' }).waitFor()
  })

  test('logs in over the page when the session has ended, and goes on with what they typed', async () => {
    const id = await ask(parties, 'Session')
    const { page, context } = await openAs(lukas, `/shop/quotations/${id}`)
    const field = page.getByRole('textbox', { name: 'Write to the seller' })
    await field.fill('Half a sentence')
    await context.clearCookies()
    await button(page, 'Send').tap()
    const dialog = page.getByRole('dialog', { name: 'Log in again' })
    await dialog.getByRole('textbox', { name: /^Password/ }).fill(lukas.password)
    await dialog.getByRole('button', { name: 'Log in' }).tap()
    await dialog.waitFor({ state: 'detached' })
    expect(await field.inputValue()).toBe('Half a sentence')
    await button(page, 'Send').tap()
    await page.getByRole('listitem').filter({ hasText: 'Half a sentence' }).waitFor()
  })

  test('finds nothing that somebody else has typed in the same tab', async () => {
    const id = await ask(parties, 'One tablet')
    const { page } = await openAs(lukas, `/shop/quotations/${id}`)
    const field = page.getByRole('textbox', { name: 'Write to the seller' })
    const leaveTo = async (login: typeof lukas): Promise<void> => {
      await page.goto('/shop/account')
      await button(page, 'Log out').tap()
      await heading(page, 'Log in to the shop').waitFor()
      await logInToShop(page, login)
      await page.goto(`/shop/quotations/${id}`)
    }
    await field.fill('The head office must not know')
    await leaveTo(anna)
    expect(await field.inputValue()).toBe('')
    await leaveTo(lukas)
    expect(await field.inputValue()).toBe('The head office must not know')
  })

  test('rejects with a reason that everybody reads', async () => {
    const id = await makeOffer(parties, 'Too dear', '88.00')
    const { page } = await openAs(lukas, `/shop/quotations/${id}`)
    await button(page, 'Reject…').tap()
    await page.getByRole('textbox', { name: /Why/ }).fill('Dearer than last year.')
    await button(page, 'Reject it').tap()
    await page.getByText('Dearer than last year.').waitFor()
    expect((await shown(id)).status).toBe('rejected')
  })

  test('of a main division lets a request of a branch pass in the list', async () => {
    const id = await ask(parties, 'From Hamburg')
    const { page } = await openAs(anna, '/shop/approvals')
    const row = page.getByRole('listitem').filter({ hasText: 'From Hamburg' })
    await row.getByRole('button', { name: /^Let pass/ }).tap()
    await page.getByText('It is with the seller now.').waitFor()
    await row.waitFor({ state: 'detached' })
    expect((await shown(id)).status).toBe('pending')
  })

  test('is told which rows of a table are wrong, and fills the basket with one that is right', async () => {
    const { page } = await openAs(lukas, '/shop/basket/import')
    const choose = (text: string): Promise<void> =>
      page.getByLabel('Table').setInputFiles({ name: 'basket.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
    await choose('sku,quantity\nCHAIR-OAK,3\nNO-SUCH-THING,many\n')
    await page.getByRole('row', { name: /^3 sku NO-SUCH-THING/ }).waitFor()
    await page.getByRole('row', { name: /^3 quantity many/ }).waitFor()
    await choose('sku,quantity\nCHAIR-OAK,7\n')
    await button(page, 'Put it into the basket').tap()
    await expect.poll(() => page.getByRole('textbox', { name: /Oak dining chair/ }).inputValue()).toBe('7')
    const sent: number[] = []
    page.on('request', (request) => {
      if (request.method() === 'PUT') sent.push((request.postDataJSON() as { quantity: number }).quantity)
    })
    await button(page, 'Remove Oak dining chair').tap()
    await button(page, 'Put it back').tap()
    // However fast the second press follows, it is the last word.
    await expect.poll(() => sent).toEqual([0, 7])
    await expect.poll(() => page.getByRole('textbox', { name: /Oak dining chair/ }).inputValue()).toBe('7')
    await expect
      .poll(async () => (await parties.branch<{ total_quantity: number }>('GET /api/v1/basket/')).total_quantity)
      .toBeGreaterThanOrEqual(7)
  })

  test('keeps a basket for later, and goes on with it', async () => {
    const { page } = await openAs(lukas, '/shop?q=oak shelf')
    await button(page, 'Add Oak shelf to the basket').tap()
    await page.getByRole('link', { name: /^Basket/ }).tap()
    await button(page, 'Keep for later…').tap()
    await page.getByRole('textbox', { name: 'Name of the draft' }).fill('For autumn')
    await button(page, 'Keep for later').last().tap()
    const draft = page.getByRole('listitem').filter({ hasText: 'For autumn' })
    await draft.getByRole('button', { name: 'Put into the basket' }).tap()
    await expect.poll(() => page.getByRole('textbox', { name: /Oak shelf/ }).inputValue()).toBe('1')
  })
})
