import { beforeAll, describe, expect, test } from 'vitest'
import { codeBlocks, readDocument } from './markdown.ts'
import { openPage } from './open-page.ts'
import { linesOf, settingsIn } from './page-commands.ts'

// Does what the page about packages of orders says, line by line. Only the port and the directory for data are other ones.

const blocks = codeBlocks(readDocument('docs/packages.md'))
const steps = blocks.filter(({ kind }) => kind.startsWith('bash terminal-')).map(({ text }) => text)
const shown = linesOf(blocks.filter(({ kind }) => kind === 'text').map(({ text }) => text))

const said: string[] = []

const { you, here } = await openPage({ environment: () => settingsIn(steps[0] ?? '') })

beforeAll(async () => {
  // What is refused answers as well.
  await you.run('unset -f curl')
  for (const step of steps.slice(1)) said.push(await you.run(here(step)))
}, 120_000)

describe('the page about packages', () => {
  test('shows the answers as they are', () => {
    expect(linesOf(said)).toEqual(shown)
  })
})
