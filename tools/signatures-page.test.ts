import type { KeyObject } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { signingKeys, standardSignature, whispererSignature } from '#delivery/attempt/signing.ts'
import { readDocument, tableOf } from './markdown.ts'
import { casesOf, keyPair, secrets } from './signature-cases.ts'
import { expectedOf, judge, programsForKeyPairs, programsForSecrets } from './signature-programs.ts'

const page = readDocument('docs/verifying-signatures.md')

describe('the page about signatures', () => {
  const ofSecrets = secrets.flatMap(casesOf)
  const ofKeyPair = casesOf(keyPair)

  for (const [programs, cases, what] of [
    [programsForSecrets, ofSecrets, ''],
    [programsForKeyPairs, ofKeyPair, ' with a public key'],
  ] as const)
    for (const program of programs)
      test.skipIf(!program.isHere())(
        `has code for ${program.language} that accepts what is genuine and nothing else${what}`,
        () => {
          expect(judge(program, cases)).toEqual(expectedOf(cases))
        },
      )

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
