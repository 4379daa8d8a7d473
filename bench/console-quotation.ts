import type { Page } from 'playwright-core'
import { makeDraft } from '../console/e2e/support/make-draft.ts'
import { median, percentile, type Figure } from './figure.ts'
import { scaled } from './scale.ts'

const opens = 5
const cells = '[role="grid"] [role="gridcell"]'

/** The workspace of a large quotation: until it can be worked in, until it answers a key, and whether a scroll finds rows. */
export const largeQuotations = async (page: Page, origin: string): Promise<Figure[]> => {
  const lines = scaled(1_000, 100)
  const { draft } = await makeDraft(origin, { lines, divisions: 1, name: 'Large' })
  const many = scaled(10_000, 200)
  const { draft: largest } = await makeDraft(origin, { lines: many, divisions: 1, name: 'Largest' })
  const opened = await openOften(page, draft.id)
  const keys = await typeInto(page)
  await page.goto(`/quotations/${largest.id}`)
  await page.locator(cells).first().waitFor()
  const { blank, frames } = await scrollThrough(page)
  return [
    {
      name: `quotation of ${lines} lines opened, until its first line`,
      unit: 'ms',
      value: opened,
      reach: '≤ 1,000 ms',
    },
    { name: `key in a grid of ${lines} lines, p95 until it is drawn`, unit: 'ms', value: keys, reach: '≤ 50 ms' },
    { name: `frames without rows of ${frames}, scrolling ${many} lines`, unit: '', value: blank, reach: '0' },
  ]
}

const openOften = async (page: Page, id: number): Promise<number> => {
  const times: number[] = []
  for (let open = 0; open < opens; open++) {
    const began = performance.now()
    await page.goto(`/quotations/${id}`, { waitUntil: 'commit' })
    await page.locator(cells).first().waitFor()
    times.push(performance.now() - began)
  }
  return median(times)
}

/** In the page. */
declare const document: {
  addEventListener: (name: string, run: () => void, isCapture: boolean) => void
  querySelector: (selector: string) => Box
  elementFromPoint: (x: number, y: number) => { readonly closest: (selector: string) => unknown } | null
}
interface Box {
  scrollTop: number
  readonly scrollHeight: number
  readonly getBoundingClientRect: () => { readonly left: number; readonly top: number; readonly height: number }
}
declare const requestAnimationFrame: (callback: () => void) => number

/** Types prices and quantities, and goes about. @returns what 95 of 100 keys took until they were drawn */
const typeInto = async (page: Page): Promise<number> => {
  // What the page reads while it opens is read once more after two seconds.
  await page.waitForTimeout(3_000)
  await page.getByRole('grid').focus()
  await page.evaluate(() => {
    const times: number[] = []
    Object.assign(globalThis, { keyTimes: times })
    const measure = (): void => {
      const began = performance.now()
      // After the frame in which the change is drawn.
      requestAnimationFrame(() => setTimeout(() => times.push(performance.now() - began)))
    }
    document.addEventListener('keydown', measure, true)
  })
  for (let row = 0; row < 12; row++) {
    for (const key of ['ArrowRight', '1', String(row % 10), 'Enter', 'ArrowLeft', 'ArrowDown']) {
      await page.keyboard.press(key)
      await page.waitForTimeout(60)
    }
  }
  const times = await page.evaluate(() => (globalThis as unknown as { keyTimes: number[] }).keyTimes)
  return percentile(times, 0.95)
}

/** Scrolls a page of rows at a time, and looks in each second frame whether rows stand where rows should. */
const scrollThrough = (page: Page): Promise<{ readonly blank: number; readonly frames: number }> =>
  page.evaluate(async () => {
    const box = document.querySelector('[role="grid"]')
    const { left, top, height } = box.getBoundingClientRect()
    let [blank, frames] = [0, 0]
    for (let to = 0; to < box.scrollHeight; to += height) {
      box.scrollTop = to
      await new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())))
      const hits = [0.2, 0.5, 0.9].map((part) => document.elementFromPoint(left + 200, top + height * part))
      frames += 1
      if (hits.some((hit) => hit?.closest('[role="row"]') === null)) blank += 1
    }
    return { blank, frames }
  })
