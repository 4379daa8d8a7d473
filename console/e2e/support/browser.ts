import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { inject } from 'vitest'
import { chromiumPath } from './chromium.ts'

/** As root it has no sandbox; the rest keeps it from calling its makers. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export interface ScreenSetting {
  readonly width?: number
  readonly height?: number
  readonly scheme?: 'light' | 'dark'
  readonly language?: 'en' | 'tr'
  readonly hasTouch?: boolean
}

/** A page of a browser, and what it complained about. */
export interface TestPage {
  readonly page: Page
  readonly context: BrowserContext
  /** Errors of scripts, refused styles, missing texts: everything that the browser's console calls an error. */
  readonly complaints: string[]
}

/** One browser for a test file. @param asItIs also keeps pages for going back to them, which Playwright has switched off */
export const openBrowser = (asItIs = false): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumPath,
    args: flags,
    ignoreDefaultArgs: asItIs ? ['--disable-back-forward-cache'] : [],
  })

/** Opens a page of its own session. @param origin of the server whose console it shows */
export const openPage = async (browser: Browser, origin: string, setting: ScreenSetting = {}): Promise<TestPage> => {
  const { width = 1280, height = 800, scheme = 'light', language = 'en', hasTouch = false } = setting
  const context = await browser.newContext({
    baseURL: origin,
    viewport: { width, height },
    colorScheme: scheme,
    reducedMotion: 'reduce',
    locale: language,
    timezoneId: 'Europe/Istanbul',
    hasTouch,
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  return { page, context, complaints }
}

export interface Credentials {
  readonly email: string
  readonly password: string
}

/** Fills the login that is on the page, and sends it. */
export const fillLogin = async (page: Page, { email, password }: Credentials): Promise<void> => {
  await page.getByRole('textbox', { name: /e-mail|e-posta/i }).fill(email)
  await page.getByRole('textbox', { name: /^(password|parola)/i }).fill(password)
  await page.getByRole('button', { name: /log in|giriş/i }).click()
}

/** Logs in as a person does, and waits for what comes then. */
export const logIn = async (page: Page, login: Credentials): Promise<void> => {
  await page.goto('/login')
  await fillLogin(page, login)
  await page.waitForURL((url) => url.pathname !== '/login')
  await page.getByRole('main').waitFor()
}

/** The same in the shop. */
export const logInToShop = async (page: Page, login: Credentials): Promise<void> => {
  await page.goto('/shop/login')
  await fillLogin(page, login)
  await page.waitForURL((url) => url.pathname !== '/shop/login')
  await page.getByRole('main').waitFor()
}

/** The origin of the server with the demo company, which all files of a run share. */
export const demoOrigin = (): string => inject('demoOrigin')
