import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { codeBlocks, readDocument } from './markdown.ts'
import { openPage } from './open-page.ts'

// Does what the page about project webhooks says, line by line. Only the ports and the directory for data are other ones.

const blocks = codeBlocks(readDocument('docs/project-webhooks.md'))
const steps = blocks.filter(({ kind }) => kind.startsWith('bash terminal-')).map(({ text }) => text)
const shown = blocks.find(({ kind }) => kind === 'text')?.text ?? ''
const eventsIn = (text: string): string[] =>
  [...text.matchAll(/verified (\S+) .* \(new\) -> 200/g)].map(([, event = '']) => event)

const said: string[] = []
let received = ''

const { you, here, listen } = await openPage()

beforeAll(async () => {
  const [, account, project, subscribe, receive, happen, again] = steps.map(here) as [
    string,
    string,
    string,
    string,
    string,
    string,
    string,
  ]

  for (const lines of [account, project, subscribe]) said.push(await you.run(lines))
  const receiver = await listen(receive)
  said.push(await you.run(happen))
  await receiver.says(/(-> 200.*){3}/s)
  // The receiver printed before the server has read the answer and stored it.
  await sleep(1_000)
  said.push(await you.run(again))
  await receiver.says(/same bytes as before/)
  received = receiver.output()
}, 90_000)

describe('the page about project webhooks', () => {
  test('starts the server as the tour of the README does', () => {
    expect(codeBlocks(readDocument('README.md')).map(({ text }) => text)).toContain(steps[0])
  })

  test('shows what the receiver verifies', () => {
    expect(eventsIn(shown)).toHaveLength(3)
    expect(eventsIn(received).toSorted()).toEqual(eventsIn(shown).toSorted())
    expect(received).not.toContain('refused')
  })

  test('leads from no account to the log of deliveries', () => {
    expect(said.join('\n')).toMatch(/dev@example\.com[^]*X-Team[^]*succeeded[^]*'delivered', 200/)
  })
})
