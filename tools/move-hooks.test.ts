import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

// What the script says where it cannot make a hook; tools/moving-page.e2e.test.ts has it make some.

const folder = mkdtempSync(join(tmpdir(), 'waybill-move-'))
const file = join(folder, 'hooks.json')
/** How the hook service answers. */
let answer = { status: 201, body: {} }
let asked = 0
const service = createServer((_, response) => {
  asked += 1
  response.writeHead(answer.status, { connection: 'close' }).end(JSON.stringify(answer.body))
})
let url = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => void service.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
})
afterAll(() => {
  service.close()
  rmSync(folder, { recursive: true })
})

const hook = { event_type: 'invoice-created', target_url: 'https://a.test/', is_active: true, callback: null }
/** Runs the script with the file. @returns its lines. */
const move = (content: unknown, at = url): Promise<string[]> => {
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  asked = 0
  const options = { env: { ...process.env, TOKEN: 'a-token' } }
  return new Promise((resolve) => {
    execFile(process.execPath, ['docs/move-hooks.mjs', file, at], options, (_, out, problems) =>
      resolve(`${out}${problems}`.trim().split('\n')),
    )
  })
}

test.each([
  ['a file that is no JSON', 'hooks', 201, /hooks\.json cannot be read as JSON: /],
  ['a file that is an answer without hooks', { detail: 'Not found.' }, 201, /is not a list of hooks.*Not found/],
  ['a hook with a callback', [{ ...hook, callback: 'shop.tasks.call' }], 201, /: made, without its callback shop/],
  ['an event that Waybill does not have', [hook], 400, /: refused, 400 .*; make an event type of this name first/],
  ['a wrong token, once', [hook, hook], 401, /^The TOKEN is not good at /],
] as const)('the script that moves hooks says in a sentence what of %s comes', async (_, content, status, sentence) => {
  answer = { status, body: { event_type: ['There is no event of this name.'] } }
  const lines = await move(content)
  expect(lines).toEqual([expect.stringMatching(sentence)])
  expect(asked).toBeLessThan(2)
})

test('the script that moves hooks says in a sentence that nobody answers', async () => {
  // Nobody resolves this name (RFC 6761).
  expect(await move([hook], 'http://waybill.invalid')).toEqual([
    expect.stringMatching(/^http:\/\/waybill\.invalid cannot be reached: ./),
  ])
})
