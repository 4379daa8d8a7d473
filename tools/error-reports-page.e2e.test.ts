import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { codeBlocks, readDocument } from './markdown.ts'
import { openPage } from './open-page.ts'
import { linesOf, settingsIn } from './page-commands.ts'

// Does what the page about error reports says, line by line. Only the ports and the directory for data are other ones.

const blocks = codeBlocks(readDocument('docs/error-reports.md'))
const stepsOf = (terminal: number): string[] =>
  blocks.filter(({ kind }) => kind === `bash terminal-${terminal}`).map(({ text }) => text)
const shown = linesOf(blocks.filter(({ kind }) => kind === 'text').map(({ text }) => text))

let answered: string[] = []
let received = ''

const { you, here, listen } = await openPage({ environment: () => settingsIn(stepsOf(1)[0] ?? '') })

beforeAll(async () => {
  const receiver = await listen(here(stepsOf(3)[0] ?? ''))
  const said: string[] = []
  for (const step of stepsOf(2).map(here)) {
    // What people wait for: the report of the delivery that failed, and that it is resolved.
    if (step.startsWith('failed=')) await isThere('action_content_type=delivery&is_ok=false')
    if (step.includes("$failed/ | json '.resolved_how'")) await isThere('action_content_type=delivery&is_ok=true')
    said.push(await you.run(step))
  }
  answered = linesOf(said)
  received = receiver.output()
}, 90_000)

describe('the page about error reports', () => {
  test('shows the answers as they are', () => {
    expect(answered).toEqual(shown)
  })

  test('has a receiver that gets the same delivery again until it takes it', () => {
    expect(
      [...received.matchAll(/verified stock_location\.created .* \((.*)\) -> (\d+)/g)].map(([, , code]) => code),
    ).toEqual(['500', '500', '200'])
    expect(received.match(/same bytes as before/g)).toHaveLength(2)
    expect(received).not.toContain('refused')
  })
})

/** Waits until some report fits. @throws after ten seconds. */
async function isThere(query: string): Promise<void> {
  for (let tries = 0; tries < 50; tries++) {
    const count = await you.run(`api -o /dev/null -w '%header{x-total-count}\\n' "$URL/api/v1/error_reports/?${query}"`)
    if (Number(count) > 0) return
    await sleep(200)
  }
  throw new Error(`There is no report for ${query}.`)
}
