import { expect, test } from 'vitest'
import { makeDownloadLinks } from '#domains/b2b/exports/links.ts'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { derivedKeys } from './derived-keys.ts'

const oldKey = 'the old key of at least 32 characters'
const newKey = 'the new key of at least 32 characters'
const clock = makeFakeClock()
const linksOf = (secretKey: string, previousSecretKeys: readonly string[] = []) =>
  makeDownloadLinks({
    keys: derivedKeys({ secretKey, previousSecretKeys }).linkKeys,
    baseUrl: () => 'https://shop.example',
    clock,
  })

test('a link that was sent before the key was changed is good for as long as the old key is named', () => {
  const { searchParams } = new URL(linksOf(oldKey).link(7, new Date(clock.now().getTime() + 1_000)))
  const isGood = (links: ReturnType<typeof linksOf>): boolean =>
    links.verify(7, searchParams.get('expires') ?? '', searchParams.get('signature') ?? '')
  expect(isGood(linksOf(newKey, [oldKey]))).toBe(true)
  expect(isGood(linksOf(newKey))).toBe(false)
})
