import { beforeAll, expect, test } from 'vitest'
import { codeBlocks, readDocument } from './markdown.ts'
import { openPage } from './open-page.ts'
import { linesOf } from './page-commands.ts'

// Does what the page about moving says, line by line. Only the port and the directory for data are other ones.

const blocks = codeBlocks(readDocument('docs/moving.md'))
const steps = blocks.filter(({ kind }) => kind === 'bash terminal-2').map(({ text }) => text)
const { you, here } = await openPage()

let answered: string[] = []
beforeAll(async () => {
  const said: string[] = []
  for (const step of steps) said.push(await you.run(here(step)))
  answered = linesOf(said)
}, 60_000)

test('the page about moving shows the answers as they are', () => {
  const shown = linesOf(blocks.filter(({ kind }) => kind === 'text').map(({ text }) => here(text)))
  expect(answered).toEqual(shown)
  expect(shown.length).toBeGreaterThan(4)
})

test('the hooks that were moved have what the old ones had, but for their switch', async () => {
  const list = async (who: string) =>
    JSON.parse(await you.run(here(`${who} "$URL/whisperer/hooks/"`))) as Record<string, unknown>[]
  const old = await list('old')
  const all = await list('api')
  const made = all.filter(({ id }) => !old.some((hook) => hook['id'] === id))
  const shapeOf = ({
    id: _id,
    is_active: _on,
    created_date: _at,
    modified_date: _later,
    ...fields
  }: Record<string, unknown>) => fields
  expect(made.map(shapeOf)).toEqual(old.map(shapeOf))
  expect(made.map(({ is_active: on }) => on)).toEqual([true, false])
})
