import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { signingKeys, standardSignature, whispererSignature } from '#delivery/signing.ts'
import { codeBlocks, readDocument, tableOf } from './markdown.ts'

const page = readDocument('docs/verifying-signatures.md')
const codeIn = (kind: string): string => codeBlocks(page).find((block) => block.kind === kind)?.text ?? ''
const directory = mkdtempSync(join(tmpdir(), 'waybill-signatures-'))
afterAll(() => rmSync(directory, { recursive: true }))

interface Case {
  readonly name: string
  readonly expected: boolean
  readonly secret: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const now = Math.floor(Date.now() / 1_000)
const secrets = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'any text, even şöyle']
const body = '{"type":"package.created","data":{"name":"Kırmızı"}}'

/** A delivery as it is signed here, with one thing changed. */
const delivered = (secret: string, changes: Partial<Case> & { readonly sentAt?: number }): Case => {
  const sentAt = changes.sentAt ?? now
  const signature = standardSignature(signingKeys(secret).standard, 'msg', sentAt, body)
  const headers = { 'webhook-id': 'msg', 'webhook-timestamp': String(sentAt), 'webhook-signature': signature }
  return { name: 'genuine', expected: true, secret, body, ...changes, headers: { ...headers, ...changes.headers } }
}

const cases: Case[] = secrets.flatMap((secret) => {
  const genuine = delivered(secret, {})
  const signature = genuine.headers['webhook-signature'] ?? ''
  const refused = (name: string, changes: Parameters<typeof delivered>[1]): Case =>
    delivered(secret, { ...changes, name, expected: false })
  return [
    genuine,
    delivered(secret, {
      name: 'one of several',
      headers: { 'webhook-signature': `v1,AAAA v2,${signature} ${signature}` },
    }),
    delivered(secret, { name: 'four minutes old', sentAt: now - 240 }),
    refused('six minutes old', { sentAt: now - 360 }),
    refused('six minutes ahead', { sentAt: now + 360 }),
    refused('another body', { body: `${body} ` }),
    refused('another id', { headers: { 'webhook-id': 'other' } }),
    refused('another time', { headers: { 'webhook-timestamp': String(now - 1) } }),
    refused('another secret', { secret: `${secrets[0]}BBBB` }),
    refused('another version', { headers: { 'webhook-signature': signature.replace('v1,', 'v2,') } }),
    refused('no time', { headers: { 'webhook-timestamp': 'now' } }),
    refused('no signature', { headers: { 'webhook-signature': '' } }),
  ]
})
const expected = cases.map(({ name, expected: isGenuine }) => `${name}: ${isGenuine}`)

/** Runs a program that reads the cases from standard input and prints what it makes of each. */
const judged = (command: string, file: string, program: string): string[] => {
  writeFileSync(join(directory, file), program)
  const input = JSON.stringify(cases)
  return execFileSync(command, [join(directory, file)], { input, encoding: 'utf8' })
    .trim()
    .split('\n')
}

const hasPython = spawnSync('python3', ['--version']).status === 0

describe('the page about signatures', () => {
  test('has code for Node.js that accepts what is genuine and nothing else', () => {
    const program = `${codeIn('js')}
      import { readFileSync } from 'node:fs'
      for (const { name, secret, headers, body } of JSON.parse(readFileSync(0, 'utf8')))
        console.log(name + ': ' + isAuthentic(secret, headers, Buffer.from(body)))`
    expect(judged(process.execPath, 'verify.mjs', program)).toEqual(expected)
  })

  test.skipIf(!hasPython)('has code for Python that accepts what is genuine and nothing else', () => {
    const program = `${codeIn('python')}
import json, sys
for case in json.load(sys.stdin):
    accepted = is_authentic(case["secret"], case["headers"], case["body"].encode())
    print(case["name"] + ": " + str(accepted).lower())`
    expect(judged('python3', 'verify.py', program)).toEqual(expected)
  })

  test('has an example whose signatures are right', () => {
    const example = Object.fromEntries(tableOf(page, '', '').map(([name = '', value = '']) => [name, value]))
    const { secret = '', body: text = '', 'webhook-id': id = '', 'webhook-timestamp': timestamp } = example
    const keys = signingKeys(secret)
    expect(example['webhook-signature']).toBe(standardSignature(keys.standard, id, Number(timestamp), text))
    expect(example['x-whisperer-signature']).toBe(whispererSignature(keys.whisperer, text))
  })
})
