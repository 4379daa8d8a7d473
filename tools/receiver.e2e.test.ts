import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { projectRoot } from './markdown.ts'
import { freePort } from './free-port.ts'

// docs/receiver.mjs, as somebody runs it who tries the server out.

const started: ChildProcess[] = []
afterAll(() => started.forEach((child) => child.kill()))

const start = (port: number): ChildProcess => {
  const child = spawn(process.execPath, [join(projectRoot, 'docs/receiver.mjs'), 'a secret', String(port)])
  started.push(child)
  return child
}

test('the receiver says in a line that its port is in use', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const child = start(port)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await once(child, 'close')
  server.close()
  expect([child.exitCode, output]).toEqual([1, expect.stringMatching(/^\S+ port \d+ is in use: name another one\n$/)])
})

test('the receiver shows the signature that came, also of what it refuses', async () => {
  const port = await freePort()
  const { stdout } = start(port)
  await once(stdout as NodeJS.ReadableStream, 'data')
  let output = ''
  stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const timestamp = Math.floor(Date.now() / 1_000)
  const headers = { 'webhook-id': 'x', 'webhook-timestamp': String(timestamp), 'webhook-signature': 'v1,c2lnbmF0dXJl' }
  const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: '{}' })
  expect(answer.status).toBe(401)
  await expect
    .poll(() => output)
    .toMatch(/ refused: the signature does not match\n\S+ {3}webhook-signature: v1,c2lnbmF0dXJl\n$/)
})

test('the receiver says which header is missing, and what an unsigned delivery lacks', async () => {
  const port = await freePort()
  await once(start(port).stdout as NodeJS.ReadableStream, 'data')
  const refusal = async (headers: Record<string, string>): Promise<string> => {
    const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: '{}' })
    return `${answer.status} ${await answer.text()}`
  }
  expect(await refusal({ 'webhook-signature': 'v1,x' })).toBe('401 webhook-id, webhook-timestamp missing')
  expect(await refusal({ 'webhook-id': 'x', 'webhook-timestamp': '1' })).toBe(
    '401 webhook-signature is missing: the hook has no secret_key',
  )
})
