import type { Page } from 'playwright-core'

/** Waits until the page shows what it asked for: its heading is there, and nothing loads any more. */
export const untilSettled = async (page: Page): Promise<void> => {
  await page.locator('main h1, main [role="alert"]').first().waitFor()
  await page.waitForFunction(() => document.querySelector('[aria-busy="true"], [data-skeleton]') === null)
  // Fonts and charts draw once more.
  await page.evaluate(() =>
    document.fonts.ready.then(() => new Promise((resolve) => requestAnimationFrame(() => resolve(undefined)))),
  )
}
