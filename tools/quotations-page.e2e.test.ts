import { beforeAll, describe, expect, test } from 'vitest'
import { codeBlocks, readDocument, tableOf } from './markdown.ts'
import { openPage } from './open-page.ts'
import { linesOf, settingsIn } from './page-commands.ts'

// Does what the page about quotations says, line by line. Only the ports and the directory for data are other ones.

const page = readDocument('docs/quotations.md')
const blocks = codeBlocks(page)
const steps = blocks.filter(({ kind }) => kind.startsWith('bash terminal-'))
const shown = linesOf(blocks.filter(({ kind }) => kind === 'text').map(({ text }) => text))

const said: string[] = []
let ordered = ''
let settings: Record<string, unknown> = {}

const { you, here, listen } = await openPage({
  environment: (port) => settingsIn((steps[0]?.text ?? '').replaceAll('4200', port)),
  receiverPort: '4200',
})

beforeAll(async () => {
  let platform: Awaited<ReturnType<typeof listen>> | undefined
  for (const { kind, text } of steps.slice(1)) {
    if (kind === 'bash terminal-2') said.push(await you.run(here(text)))
    else platform = await listen(here(text))
  }
  settings = JSON.parse(await you.run('api $URL/api/v1/settings/')) as typeof settings
  await platform?.says(/(is S-.*){5}/s)
  ordered = platform?.output() ?? ''
}, 180_000)

describe('the page about quotations', () => {
  test('shows the answers as they are', () => {
    // Each file of csv begins with a byte order mark.
    expect(linesOf(said).map((line) => line.replace('\uFEFF', ''))).toEqual(shown)
  })

  test('has a platform that gets each order once', () => {
    const orders = [...ordered.matchAll(/^Q-\d+-(\d+-\d+): (\d+) units for (\S+) EUR is S-\d+(.*)$/gm)]
    expect(orders.map(([, ...about]) => about.join(' ').trim()).toSorted()).toEqual([
      '000001-1 500 21375.00',
      '000001-2 400 41040.00',
      '000002-1 500 24950.00',
      '000002-2 400 43690.00',
      '000002-3 300 14970.00',
    ])
  })

  test('names every setting with its default', () => {
    const rows = tableOf(page, 'Setting', 'Default', 'Meaning')
    expect(Object.fromEntries(rows.map(([name = '', initial = '']) => [name, JSON.parse(initial) as unknown]))).toEqual(
      settings,
    )
  })
})
