import type { Locator, Page } from 'playwright-core'

/** Whether the focus is at what a locator finds, or within it. */
export const hasFocus = (locator: Locator): Promise<boolean> =>
  locator.evaluate((element) => element.contains(document.activeElement))

interface Stop {
  /** Role or tag, and what it is called. */
  readonly what: string
  /** Whether one sees that it has the focus. */
  readonly isSeen: boolean
}

const focusStop = (page: Page): Promise<Stop | undefined> =>
  page.evaluate(() => {
    const element = document.activeElement
    if (element === null || element === document.body) return undefined
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element)
    const { width, height } = element.getBoundingClientRect()
    const name = element.getAttribute('aria-label') ?? element.textContent.trim().slice(0, 40)
    const isMarked = (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1) || boxShadow !== 'none'
    return { what: `${element.role ?? element.tagName}: ${name}`, isSeen: isMarked && width > 0 && height > 0 }
  })

/** Everything that Tab stops at, from the beginning of the page, at most so many. */
export const tabStops = async (page: Page, most: number): Promise<readonly Stop[]> => {
  const stops: Stop[] = []
  while (stops.length < most) {
    await page.keyboard.press('Tab')
    const stop = await focusStop(page)
    if (stop === undefined) break
    stops.push(stop)
  }
  return stops
}

/** Presses Tab until the focus is where a locator says. @throws when it never gets there */
export const tabTo = async (page: Page, target: Locator, most = 100): Promise<void> => {
  for (let count = 0; count < most; count++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error('Tab does not lead there.')
}
