import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { colleagues, otherBuyers, superuser } from '../../server/demo/logins.ts'
import { logInToApi } from './support/api.ts'
import { demoOrigin, fillLogin, logIn, logInToShop, openBrowser, openPage } from './support/browser.ts'
import { hasChromium } from './support/chromium.ts'

/** Somebody whose sessions no other test ends, and who reads English. */
const { jonas } = colleagues

describe.skipIf(!hasChromium())('a session', () => {
  let browser: Browser
  const open = async (): Promise<Page> => (await openPage(browser, demoOrigin())).page
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterEach(() => Promise.all(browser.contexts().map((context) => context.close())))
  afterAll(() => browser.close())

  test('a login that is refused does not say whether name or password was wrong', async () => {
    const page = await open()
    const refusalOf = async (email: string): Promise<string> => {
      await page.goto('/login')
      await fillLogin(page, { email, password: 'not the password' })
      return page.getByRole('alert').innerText()
    }
    const ofKnown = await refusalOf(jonas.email)
    const ofUnknown = await refusalOf('nobody@lodos.example')
    expect(ofKnown).not.toBe('')
    expect(ofUnknown).toBe(ofKnown)
    expect(new URL(page.url()).pathname).toBe('/login')
    await expect.poll(() => page.getByRole('textbox', { name: 'E-mail' }).inputValue()).toBe('nobody@lodos.example')
  })

  test('lives in a cookie that scripts cannot read and other sites cannot send', async () => {
    const page = await open()
    await logIn(page, jonas)
    const cookies = await page.context().cookies()
    expect(cookies.length).toBeGreaterThan(0)
    expect(cookies.filter(({ httpOnly, sameSite }) => !httpOnly || sameSite !== 'Strict')).toEqual([])
    expect(await page.evaluate(() => document.cookie)).toBe('')
    const kept = await page.evaluate(() =>
      JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)]),
    )
    for (const { value } of cookies) expect(kept).not.toContain(value)
  })

  test('a deep link leads through the login and back to all that it says', async () => {
    const page = await open()
    const link = '/users/1?email=lodos'
    await page.goto(link)
    await page.waitForURL((url) => url.pathname === '/login')
    await fillLogin(page, superuser)
    await page.waitForURL((url) => url.pathname + url.search === link)
    await page.getByRole('button', { name: 'E-mail lodos' }).waitFor()
    expect(await page.getByRole('complementary').getByRole('heading').first().innerText()).not.toBe('')
  })

  test('the login leads to pages of this console only', async () => {
    const page = await open()
    await page.goto(`/login?next=${encodeURIComponent('//example.com/')}`)
    await fillLogin(page, jonas)
    await page
      .getByRole('heading', { level: 1 })
      .and(page.getByRole('heading', { name: /need|Home/ }))
      .waitFor()
    expect(page.url()).toBe(`${demoOrigin()}/`)
  })

  test('one that was ended elsewhere asks for the login over the page, and keeps what was typed', async () => {
    const page = await open()
    await logIn(page, jonas)
    await page.goto('/account')
    const name = page.getByRole('textbox', { name: 'First name' })
    await name.fill('Jonas, still typing')
    const elsewhere = await logInToApi(demoOrigin(), jonas)
    await elsewhere('DELETE /api/v1/auth/sessions')
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await page.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor()
    expect(await dialog.getByRole('textbox', { name: 'E-mail' }).inputValue()).toBe(jonas.email)
    await dialog.getByRole('textbox', { name: 'Password' }).fill(jonas.password)
    await dialog.getByRole('button', { name: 'Log in' }).click()
    await dialog.waitFor({ state: 'hidden' })
    expect(await name.inputValue()).toBe('Jonas, still typing')
    await name.fill(jonas.firstName)
    await elsewhere('POST /api/v1/auth/logout')
  })

  test('after the logout nothing of what was shown comes back', async () => {
    const page = await open()
    await logIn(page, jonas)
    await page.goto('/deliveries')
    await page.getByRole('table').waitFor()
    await page.getByRole('button', { name: `Account of ${jonas.email}` }).click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await page.getByRole('heading', { name: 'Log in to Waybill' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Log in to Waybill' }).waitFor()
    expect(await page.getByRole('table').count()).toBe(0)
    expect(await page.getByText(jonas.email).count()).toBe(0)
    expect(await page.evaluate(() => Object.keys(localStorage).filter((name) => name.includes('recent')))).toEqual([])
  })
})

describe.skipIf(!hasChromium())('a browser that keeps pages for going back to them', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser(true)
  })
  afterAll(() => browser.close())
  const open = async (): Promise<Page> => (await openPage(browser, demoOrigin())).page

  test('has nothing of the console after the logout', async () => {
    const page = await open()
    await logIn(page, jonas)
    await page.goto('/deliveries')
    await page.getByRole('button', { name: `Account of ${jonas.email}` }).click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await page.getByRole('heading', { name: 'Log in to Waybill' }).waitFor()
    await page.goBack({ waitUntil: 'commit' })
    await page.waitForURL((url) => url.searchParams.get('next') === '/deliveries')
    expect(await page.getByText(jonas.email).count()).toBe(0)
  })

  test('has nothing of the shop after the logout', async () => {
    const page = await open()
    await logInToShop(page, otherBuyers.lukas)
    await page.goto('/shop/account')
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.getByRole('heading', { name: 'Log in to the shop' }).waitFor()
    await page.goBack({ waitUntil: 'commit' })
    await page.waitForURL((url) => url.searchParams.get('next') === '/shop/account')
    expect(await page.getByText(otherBuyers.lukas.email).count()).toBe(0)
  })
})
