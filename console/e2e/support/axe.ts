import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * What axe-core finds wrong with the page as it is now: rule, what it asks for, and where.
 * @param rules those that are tried; all when absent
 */
export const violationsOf = async (page: Page, rules?: readonly string[]): Promise<readonly string[]> => {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source)
  const { violations } = await page.evaluate(
    (runOnly) =>
      (globalThis as unknown as { axe: { run: (options: object) => Promise<AxeResults> } }).axe.run({
        resultTypes: ['violations'],
        ...(runOnly !== undefined && { runOnly }),
      }),
    rules,
  )
  return violations.flatMap(({ id, help, nodes }) => nodes.map(({ target }) => `${id}: ${help} (${target.join(' ')})`))
}
