import type { Browser, Page, Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { colleagues, otherBuyers, superuser } from '../../server/demo/logins.ts'
import { demoOrigin, logIn, openBrowser, openPage } from './support/browser.ts'
import { hasChromium } from './support/chromium.ts'
import { administrator, startEmptyServer } from './support/empty-server.ts'
import { isLoading, rowsOf } from './support/settled.ts'
import { addressOf, seenLists } from './lists.ts'

const filled = seenLists.filter(({ isEmptyInDemo }) => isEmptyInDemo !== true)
const withFilter = seenLists.filter(({ filter }) => filter !== undefined)
const withEmpty = seenLists.filter(({ empty }) => empty !== undefined)
const forSuperusers = seenLists.filter(({ isForSuperusers }) => isForSuperusers)
/** What is asked for a list, and not for one row of it. */
const askedOf = (api: string) => (url: URL) => url.pathname.replace(/\/$/, '') === api

let browser: Browser
beforeAll(async () => {
  if (hasChromium()) browser = await openBrowser()
})
afterAll(() => browser?.close())

describe.skipIf(!hasChromium())('a list of the demo company', () => {
  let page: Page
  beforeAll(async () => {
    page = (await openPage(browser, demoOrigin())).page
    await logIn(page, superuser)
  })
  afterEach(() => page.unrouteAll({ behavior: 'ignoreErrors' }))

  test.each(filled)('$path holds the place of what loads, then shows it', async (list) => {
    const waiting = Promise.withResolvers<undefined>()
    await page.route(askedOf(list.api), async (route) => {
      await waiting.promise
      await route.continue()
    })
    await page.goto(addressOf(list))
    await expect.poll(() => isLoading(page)).toBe(true)
    expect(await rowsOf(page)).toBe(0)
    expect(await page.getByRole('alert').count()).toBe(0)
    waiting.resolve(undefined)
    await expect.poll(() => rowsOf(page)).toBeGreaterThan(0)
    await expect.poll(() => isLoading(page)).toBe(false)
  })

  test.each(withFilter)('$path says that nothing matches, and removes what rules all out', async (list) => {
    await page.goto(addressOf(list, list.filter))
    await page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
    expect(await rowsOf(page)).toBe(0)
    await page.getByRole('button', { name: 'Remove all filters' }).last().click()
    await expect.poll(() => rowsOf(page)).toBeGreaterThan(0)
    expect(page.url()).not.toContain(list.filter)
  })

  test.each(filled)('$path says what the server said, and tries again', async (list) => {
    const asked = askedOf(list.api)
    const refuse = (route: Route): Promise<void> =>
      route.fulfill({
        status: 500,
        headers: { 'x-request-id': 'the-id-of-the-request' },
        json: { detail: 'The disk is full.' },
      })
    // Without news nothing is asked for again but by the button.
    await page.route(askedOf('/api/v1/stream'), (route) => route.abort())
    await page.route(asked, refuse)
    await page.goto(addressOf(list))
    const alert = page.getByRole('alert').filter({ hasText: 'The server could not answer this' })
    await expect.poll(() => alert.innerText()).toMatch(/The disk is full\.[^]*the-id-of-the-request/)
    await page.unroute(asked, refuse)
    await alert.getByRole('button', { name: 'Try again' }).click()
    await expect.poll(() => rowsOf(page)).toBeGreaterThan(0)
    await expect.poll(() => alert.count()).toBe(0)
  })
})

describe.skipIf(!hasChromium())('a list of an empty installation', () => {
  let page: Page
  let server: Awaited<ReturnType<typeof startEmptyServer>>
  beforeAll(async () => {
    server = await startEmptyServer()
    page = (await openPage(browser, server.origin)).page
    await logIn(page, administrator)
  })
  afterAll(() => server.stop())

  test.each(withEmpty)('$path says what it is good for', async (list) => {
    const { empty = '' } = list
    await page.goto(addressOf(list))
    await page.getByRole('heading', { name: empty }).waitFor()
    // One sentence or more below it.
    expect(await page.getByRole('main').innerText()).toMatch(new RegExp(`${empty}\\s+\\S[^.]+\\.`))
    expect(await page.getByRole('heading', { name: 'Nothing matches' }).count()).toBe(0)
  })
})

describe.skipIf(!hasChromium())('a list that is not for everybody', () => {
  const asked: string[] = []
  const openAs = async (login: typeof superuser): Promise<Page> => {
    const { page } = await openPage(browser, demoOrigin())
    page.on('request', (request) => asked.push(new URL(request.url()).pathname.replace(/\/$/, '')))
    await logIn(page, login)
    return page
  }

  test('tells staff who may see it, and does not ask for what is refused', async () => {
    const page = await openAs(colleagues.jonas)
    for (const { path, api } of forSuperusers) {
      asked.length = 0
      await page.goto(path)
      const alert = page.getByRole('alert').filter({ hasText: 'This is not yours to see' })
      expect(await alert.innerText()).toContain(
        `${colleagues.jonas.email} may not see this. A superuser can change that.`,
      )
      expect(asked).not.toContain(api)
    }
  })

  test('tells a buyer the same of all of them', async () => {
    const page = await openAs(otherBuyers.anna)
    for (const { path } of seenLists.filter(({ isForEverybody }) => isForEverybody !== true)) {
      await page.goto(path)
      await page.getByRole('heading', { name: 'This is not yours to see' }).waitFor()
      expect(await rowsOf(page)).toBe(0)
    }
    await page.goto('/quotations/1')
    expect(await page.getByRole('link', { name: 'Go to the shop' }).getAttribute('href')).toBe('/shop/quotations/1')
  })
})

describe.skipIf(!hasChromium())('the network is gone for a moment', () => {
  test('a list says so, and goes on by itself', async () => {
    const { page, context } = await openPage(browser, demoOrigin())
    await logIn(page, superuser)
    await page.goto('/deliveries')
    await expect.poll(() => rowsOf(page)).toBeGreaterThan(0)
    await context.setOffline(true)
    await page.getByRole('button', { name: /^Failed/ }).click()
    await page.getByRole('heading', { name: 'The server does not answer' }).waitFor()
    await context.setOffline(false)
    await expect.poll(() => rowsOf(page)).toBeGreaterThan(0)
    expect(await page.getByRole('heading', { name: 'The server does not answer' }).count()).toBe(0)
  })

  test('a form keeps what was typed, and saves it afterwards', async () => {
    const { page, context } = await openPage(browser, demoOrigin())
    const { anna } = otherBuyers
    await logIn(page, anna)
    await page.goto('/account')
    const name = page.getByRole('textbox', { name: 'Last name' })
    const save = page.getByRole('button', { name: 'Save' })
    await name.waitFor()
    await context.setOffline(true)
    await name.fill('Schmidt-Nordlicht')
    await save.click()
    await page.getByRole('alert').first().waitFor()
    expect(await name.inputValue()).toBe('Schmidt-Nordlicht')
    await context.setOffline(false)
    await save.click()
    await page.getByText('Saved.').waitFor()
    expect(await name.inputValue()).toBe('Schmidt-Nordlicht')
    await name.fill(anna.lastName)
    await save.click()
    await page.getByText('Saved.').nth(1).waitFor()
  })
})
