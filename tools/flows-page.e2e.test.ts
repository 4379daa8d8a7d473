import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { codeBlocks, readDocument } from './markdown.ts'
import { openPage } from './open-page.ts'

// Does what the page about flows says, line by line. Only the two ports are other ones.

const blocks = codeBlocks(readDocument('docs/flows.md'))
const steps = blocks.filter(({ kind }) => kind.startsWith('bash terminal-')).map(({ text }) => text)
const shown = blocks.filter(({ kind }) => kind === 'text').map(({ text }) => text.trim())

const answered: string[] = []
let received = ''

const { you, here, listen } = await openPage()

beforeAll(async () => {
  const [, receive, logIn, send, look] = steps.map(here) as [string, string, string, string, string]

  const receiver = await listen(receive)
  await you.run(logIn)
  answered.push(await you.run(send))
  await receiver.says(/-> 200/)
  // Time for the end to be written, and for a second one, which must not come.
  await sleep(1_000)
  answered.push(await you.run(look))
  received = receiver.output()
}, 60_000)

describe('the page about flows', () => {
  test('starts the server as the tour of the README does', () => {
    expect(codeBlocks(readDocument('README.md')).map(({ text }) => text)).toContain(steps[0])
  })

  test('shows the answers as they are', () => {
    expect(answered.map((answer) => answer.trim())).toEqual(shown)
  })

  test('has a receiver that verifies the data, once', () => {
    expect(received.match(/verified text\/csv; charset=utf-8 .* -> 200/g)).toHaveLength(1)
    expect(received).not.toContain('refused')
  })
})
