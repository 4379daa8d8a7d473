import type { Page } from 'playwright-core'

/** Goes to a screen as a link of the console does, without loading the page anew; where the console is not open, it opens it. */
export const goInside = async (page: Page, path: string): Promise<void> => {
  const isInside = await page.evaluate(async (href) => {
    // TanStack Router leaves itself here for its tools.
    const { __TSR_ROUTER__: router } = globalThis as { __TSR_ROUTER__?: { navigate(to: object): Promise<void> } }
    await router?.navigate({ href })
    return router !== undefined
  }, path)
  if (!isInside) await page.goto(path)
}

/** Waits until the page shows what it asked for: its heading is there, and nothing loads any more. */
export const untilSettled = async (page: Page): Promise<void> => {
  await page.locator('main h1, main [role="alert"]').first().waitFor()
  await page.waitForFunction(() => document.querySelector('[aria-busy="true"], [data-skeleton]') === null)
  // Fonts and charts draw once more.
  await page.evaluate(() =>
    document.fonts.ready.then(() => new Promise((resolve) => requestAnimationFrame(() => resolve(undefined)))),
  )
}

/** Whether the page holds a place for something that is not here yet. */
export const isLoading = async (page: Page): Promise<boolean> =>
  (await page.locator('main [data-skeleton]').count()) > 0

/** How many rows its list shows: those of a table (charts have one with a caption), or links to causes of errors. */
export const rowsOf = (page: Page): Promise<number> =>
  page.locator('main table:not(:has(caption)) tbody tr:visible, main a[data-group]:visible').count()
