import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeReceiver, type Receiver } from '#testing/receiver.ts'
import { operator } from '../../server/demo/logins.ts'
import { demoOrigin, logIn, openBrowser, openPage } from './support/browser.ts'
import { hasChromium } from './support/chromium.ts'
import { administrator, startEmptyServer } from './support/empty-server.ts'
import { untilSettled } from './support/settled.ts'

describe.skipIf(!hasChromium())('an integrator without any organization', () => {
  let server: Awaited<ReturnType<typeof startEmptyServer>>
  let browser: Browser
  let page: Page
  let receiver: Receiver
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
  const field = (name: string): Locator => page.getByRole('textbox', { name })
  const press = (name: string): Promise<void> => page.getByRole('button', { name }).first().click()
  const title = (name: string): Locator => page.getByRole('heading', { level: 1, name })
  const path = (): string => new URL(page.url()).pathname

  test('makes one from the page that has none', async () => {
    await page.getByRole('navigation').getByRole('link', { name: 'Projects' }).click()
    await page.getByRole('heading', { name: 'You are in no organization' }).waitFor()
    await press('New organization')
    await field('Name').fill('Northern apps')
    await press('Make it')
    await title('Northern apps').waitFor()
    expect(path()).toMatch(/^\/organizations\/[0-9a-f]{24}$/)
  })

  test('makes a project in it, whose slug follows the name', async () => {
    await page.getByRole('heading', { name: 'There is no project yet' }).waitFor()
    await press('New project')
    await field('Name').fill('Şoför & kurye')
    expect(await field('Slug').inputValue()).toBe('sofor-kurye')
    await press('Make it')
    await title('Şoför & kurye').waitFor()
    expect(path()).toMatch(/\/projects\/[0-9a-f]{24}$/)
  })

  test('is told of a slug that another project has, at the field', async () => {
    await page.getByRole('link', { name: 'Northern apps' }).click()
    await press('New project')
    await field('Name').fill('Second')
    await field('Slug').fill('sofor-kurye')
    await press('Make it')
    await expect.poll(() => field('Slug').getAttribute('aria-invalid')).toBe('true')
    await field('Slug').fill('second')
    await press('Make it')
    await title('Second').waitFor()
  })

  test('changes what a project is called', async () => {
    await press('Change')
    await field('Name').fill('Drivers')
    await press('Save')
    await title('Drivers').waitFor()
    expect(path()).toMatch(/\/projects\/[0-9a-f]{24}$/)
  })

  test('says how a store is reached, and is told of a secret that is none, at its field', async () => {
    await page.getByRole('link', { name: 'AppGallery' }).click()
    await field('Client id').fill('lodos')
    await field('Client secret').fill('********')
    await press('Save')
    await expect.poll(() => field('Client secret').getAttribute('aria-invalid')).toBe('true')
    await field('Client secret').fill('north wind')
    await press('Save')
    const store = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'AppGallery' }) })
    await store.getByText('2 of 2 fields are set').waitFor()
    await page.getByRole('link', { name: 'AppGallery' }).click()
    expect([await field('Client id').inputValue(), await field('Client secret').inputValue()]).toEqual([
      'lodos',
      '********',
    ])
    await page.getByRole('button', { name: 'Close the details' }).click()
  })

  test('adds a further bundle', async () => {
    await page.getByRole('link', { name: 'Further bundles for iOS' }).click()
    await press('Add a bundle for staging')
    await field('Identifier of the bundle').fill('example.widget')
    await press('Save')
    const bundles = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'Further bundles' }) })
    await bundles.getByText('1 bundle').waitFor()
    expect(path()).toMatch(/\/projects\/[0-9a-f]{24}$/)
  })

  test('makes a webhook of the project, which is told of the next build', async () => {
    await press('New webhook')
    await field('Name').fill('Build server')
    await field('Address').fill(receiver.url)
    await page.getByRole('checkbox', { name: 'deployment.build.created' }).check()
    await press('Make the webhook')
    await page.getByRole('link', { name: 'Build server' }).waitFor()
    await press('Start a build')
    await press('Start it')
    const [got] = await receiver.got(1)
    expect(got?.body.toString()).toContain('deployment.build.created')
  })

  test('deletes the organization after typing its name', async () => {
    await page.getByRole('link', { name: 'Northern apps' }).click()
    await press('Delete…')
    const question = page.getByRole('dialog', { name: 'Delete Northern apps' })
    await question.getByText('Its 2 projects go with it').waitFor()
    const submit = question.getByRole('button', { name: 'Delete it and all that is in it' })
    expect(await submit.getAttribute('aria-disabled')).toBe('true')
    await question.getByRole('textbox', { name: 'Type Northern apps to delete it' }).fill('Northern apps')
    await submit.click()
    await page.getByRole('heading', { name: 'You are in no organization' }).waitFor()
  })
})

describe.skipIf(!hasChromium())('a viewer of an organization, who reads Turkish,', () => {
  let browser: Browser
  let page: Page
  beforeAll(async () => {
    browser = await openBrowser()
    page = (await openPage(browser, demoOrigin())).page
    await logIn(page, operator)
    await page.goto('/organizations')
    await page.getByRole('link', { name: 'Lodos Mobile' }).click()
    await untilSettled(page)
  })
  afterAll(() => browser.close())

  test.each([
    ['Yeni proje', 'Bunu sahipler, yöneticiler ve geliştiriciler yapar; buradaki rolünüz: İzleyici.'],
    ['Değiştir', 'Bunu sahipler ve yöneticiler yapar; buradaki rolünüz: İzleyici.'],
    ['Sil…', 'Bunu sahipler yapar; buradaki rolünüz: İzleyici.'],
  ])('sees "%s" and why it is not for them', async (name, reason) => {
    const button = page.getByRole('button', { name }).first()
    expect(await button.getAttribute('aria-disabled')).toBe('true')
    await button.hover()
    await expect.poll(() => page.getByRole('tooltip').allInnerTexts()).toEqual([reason])
  })
})
