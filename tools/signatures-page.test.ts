import { execFileSync, spawnSync } from 'node:child_process'
import type { KeyObject } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { newSecrets, publicKeyOf } from '#delivery/secrets/secrets.ts'
import { privateSigningKey, signingKeys, standardSignature, whispererSignature } from '#delivery/attempt/signing.ts'
import { codeBlocks, readDocument, tableOf } from './markdown.ts'

const page = readDocument('docs/verifying-signatures.md')
/** The block of code that has this function. */
const codeWith = (name: string): string => codeBlocks(page).find(({ text }) => text.includes(name))?.text ?? ''
const directory = mkdtempSync(join(tmpdir(), 'waybill-signatures-'))
afterAll(() => rmSync(directory, { recursive: true }))

interface Case {
  readonly name: string
  readonly expected: boolean
  /** What the receiver has: the secret, or the public key. */
  readonly secret: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What one subscription signs with, and what its receiver verifies with. */
interface Signer {
  readonly secret: string
  readonly another: string
  readonly version: string
  readonly key: KeyObject
}

const now = Math.floor(Date.now() / 1_000)
const standardSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
/** The key pair that is published beside the test vector of the reference implementation. */
const published = 'whsk_6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbfVKIDij2HKpMKkioLlX0dRqSKJp4AJ6p9lMicMFs6Kvg=='
const body = '{"type":"package.created","data":{"name":"Kırmızı"}}'

const withSecret = (secret: string): Signer => ({
  secret,
  another: `${standardSecret}BBBB`,
  version: 'v1',
  key: signingKeys(secret).standard,
})
const secrets = [standardSecret, 'any text, even şöyle'].map(withSecret)
const keyPair: Signer = {
  secret: publicKeyOf(published),
  another: publicKeyOf(newSecrets({ signature: 'v1a', secret: null }).privateKey ?? ''),
  version: 'v1a',
  key: privateSigningKey(published),
}

/** A delivery as it is signed here, with one thing changed. */
const delivered = ({ key, secret }: Signer, changes: Partial<Case> & { readonly sentAt?: number }): Case => {
  const { sentAt = now, ...others } = changes
  const signature = standardSignature(key, 'msg', sentAt, body)
  const headers = { 'webhook-id': 'msg', 'webhook-timestamp': String(sentAt), 'webhook-signature': signature }
  return { name: 'genuine', expected: true, secret, body, ...others, headers: { ...headers, ...changes.headers } }
}

const casesOf = (signer: Signer): Case[] => {
  const { version, another } = signer
  const genuine = delivered(signer, {})
  const signature = genuine.headers['webhook-signature'] ?? ''
  const refused = (name: string, changes: Parameters<typeof delivered>[1]): Case =>
    delivered(signer, { ...changes, name, expected: false })
  return [
    genuine,
    delivered(signer, {
      name: 'one of several',
      headers: { 'webhook-signature': `${version},AAAA v2,${signature} ${signature}` },
    }),
    delivered(signer, { name: 'four minutes old', sentAt: now - 240 }),
    refused('six minutes old', { sentAt: now - 360 }),
    refused('six minutes ahead', { sentAt: now + 360 }),
    refused('another body', { body: `${body} ` }),
    refused('another id', { headers: { 'webhook-id': 'other' } }),
    refused('another time', { headers: { 'webhook-timestamp': String(now - 1) } }),
    refused('another secret', { secret: another }),
    refused('another version', { headers: { 'webhook-signature': signature.replace('v1', 'v2') } }),
    refused('no time', { headers: { 'webhook-timestamp': 'now' } }),
    refused('no signature', { headers: { 'webhook-signature': '' } }),
  ]
}
const expectedOf = (cases: readonly Case[]): string[] => cases.map(({ name, expected }) => `${name}: ${expected}`)

/** Runs a program that reads the cases from standard input and prints what it makes of each. */
const judged = (command: string, program: string, cases: readonly Case[]): string[] => {
  const file = join(directory, 'verify.mjs')
  writeFileSync(file, program)
  return execFileSync(command, [file], { input: JSON.stringify(cases), encoding: 'utf8' })
    .trim()
    .split('\n')
}

const inNode = (name: string, cases: readonly Case[]): string[] =>
  judged(
    process.execPath,
    `${codeWith(`function ${name}(`)}
      import { readFileSync } from 'node:fs'
      for (const { name, secret, headers, body } of JSON.parse(readFileSync(0, 'utf8')))
        console.log(name + ': ' + ${name}(secret, headers, Buffer.from(body)))`,
    cases,
  )

const inPython = (name: string, cases: readonly Case[]): string[] =>
  judged(
    'python3',
    `${codeWith(`def ${name}(`)}
import json, sys
for case in json.load(sys.stdin):
    accepted = ${name}(case["secret"], case["headers"], case["body"].encode())
    print(case["name"] + ": " + str(accepted).lower())`,
    cases,
  )

const canPython = (program: string): boolean => spawnSync('python3', ['-c', program]).status === 0

describe('the page about signatures', () => {
  const ofSecrets = secrets.flatMap(casesOf)
  const ofKeyPair = casesOf(keyPair)

  test('has code for Node.js that accepts what is genuine and nothing else', () => {
    expect(inNode('isAuthentic', ofSecrets)).toEqual(expectedOf(ofSecrets))
    expect(inNode('isAuthenticByKey', ofKeyPair)).toEqual(expectedOf(ofKeyPair))
  })

  test.skipIf(!canPython(''))('has code for Python that accepts what is genuine and nothing else', () => {
    expect(inPython('is_authentic', ofSecrets)).toEqual(expectedOf(ofSecrets))
  })

  test.skipIf(!canPython('import cryptography'))('has code for Python that does so with a public key', () => {
    expect(inPython('is_authentic_by_key', ofKeyPair)).toEqual(expectedOf(ofKeyPair))
  })

  test('has an example whose signatures are right', () => {
    const example = Object.fromEntries(tableOf(page, '', '').map(([name = '', value = '']) => [name, value]))
    const { secret = '', body: text = '', 'webhook-id': id = '', 'webhook-timestamp': timestamp } = example
    const signature = (key: KeyObject): string => standardSignature(key, id, Number(timestamp), text)
    const keys = signingKeys(secret)
    expect(example['webhook-signature']).toBe(signature(keys.standard))
    expect(example['x-whisperer-signature']).toBe(whispererSignature(keys.whisperer, text))
    expect(example['public key']).toBe(keyPair.secret)
    expect(example['`webhook-signature` with that key']).toBe(signature(keyPair.key))
  })
})
