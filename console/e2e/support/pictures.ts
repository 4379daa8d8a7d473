import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

const folder = join(import.meta.dirname, '../pictures')
mkdirSync(folder, { recursive: true })

/** Keeps a picture of the page in `console/e2e/pictures/`. */
export const takePicture = async (page: Page, name: string): Promise<void> => {
  await page.screenshot({ path: join(folder, `${name}.png`) })
}
