import { execFileSync, spawnSync } from 'node:child_process'
import type { KeyObject } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { signingKeys, standardSignature, whispererSignature } from '#delivery/attempt/signing.ts'
import { codeBlocks, readDocument, tableOf } from './markdown.ts'
import { casesOf, keyPair, secrets, type SignatureCase } from './signature-cases.ts'

const page = readDocument('docs/verifying-signatures.md')
/** The block of code that has this function. */
const codeWith = (name: string): string => codeBlocks(page).find(({ text }) => text.includes(name))?.text ?? ''
const directory = mkdtempSync(join(tmpdir(), 'waybill-signatures-'))
afterAll(() => rmSync(directory, { recursive: true }))

const expectedOf = (cases: readonly SignatureCase[]): string[] =>
  cases.map(({ name, expected }) => `${name}: ${expected}`)

/** Runs a program that reads the cases from standard input and prints what it makes of each. */
const judged = (command: string, program: string, cases: readonly SignatureCase[]): string[] => {
  const file = join(directory, 'verify.mjs')
  writeFileSync(file, program)
  return execFileSync(command, [file], { input: JSON.stringify(cases), encoding: 'utf8' })
    .trim()
    .split('\n')
}

const inNode = (name: string, cases: readonly SignatureCase[]): string[] =>
  judged(
    process.execPath,
    `${codeWith(`function ${name}(`)}
      import { readFileSync } from 'node:fs'
      for (const { name, secret, headers, body } of JSON.parse(readFileSync(0, 'utf8')))
        console.log(name + ': ' + ${name}(secret, headers, Buffer.from(body)))`,
    cases,
  )

const inPython = (name: string, cases: readonly SignatureCase[]): string[] =>
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
