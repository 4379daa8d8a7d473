import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { codeBlocks, readDocument } from './markdown.ts'
import { openPage } from './open-page.ts'

// Does what the page about raising events says, line by line. Only the two ports are other ones.

const blocks = codeBlocks(readDocument('docs/raising-events.md'))
const steps = blocks.filter(({ kind }) => kind.startsWith('bash terminal-')).map(({ text }) => text)
const [shown, shownOfOwn] = blocks.filter(({ kind }) => kind === 'text').map(({ text }) => text)

let answered = ''
let answeredOfOwn = ''
let received = ''

const { you, here, listen } = await openPage()

beforeAll(async () => {
  const [, receive, logIn, raise, raiseOwn] = steps.map(here) as [string, string, string, string, string]

  const receiver = await listen(receive)
  await you.run(logIn)
  answered = await you.run(raise)
  await receiver.says(/-> 200/)
  answeredOfOwn = await you.run(raiseOwn)
  await receiver.says(/crm\.customer\.updated .* -> 200/)
  // Time for a second one, which must not come.
  await sleep(1_000)
  received = receiver.output()
}, 60_000)

describe('the page about raising events', () => {
  test('starts the server as the tour of the README does', () => {
    expect(codeBlocks(readDocument('README.md')).map(({ text }) => text)).toContain(steps[0])
  })

  test('shows the answers as they are', () => {
    expect(answered.trim()).toBe(shown?.trim())
    expect(answeredOfOwn.trim()).toBe(shownOfOwn?.trim())
  })

  test('has a receiver that verifies the event, once', () => {
    expect(received.match(/verified shipment\.status\.updated .* -> 200/g)).toHaveLength(1)
    expect(received.match(/verified crm\.customer\.updated .* -> 200/g)).toHaveLength(1)
    expect(received).not.toContain('refused')
  })
})
