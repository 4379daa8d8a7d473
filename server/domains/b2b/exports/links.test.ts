import { expect, test } from 'vitest'
import { deriveKey } from '#platform/crypto/digests.ts'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { makeDownloadLinks, type LinkKeys } from './links.ts'

const linkKey = deriveKey('a secret key of thirty-two characters!', 'links')
const nextKey = deriveKey('the next key of thirty-two characters!', 'links')
const day = 86_400_000

const make = (keys: LinkKeys = { linkKey }) => {
  const clock = makeFakeClock()
  const links = makeDownloadLinks({ keys, baseUrl: () => 'https://shop.example', clock })
  return { clock, links, tomorrow: new Date(clock.now().getTime() + day) }
}
/** What a link says. */
const partsOf = (link: string) => {
  const { pathname, searchParams } = new URL(link)
  const part = (name: string): string => searchParams.get(name) ?? ''
  return [Number(pathname.split('/')[4]), part('expires'), part('signature')] as const
}

test('a link says where the file is, until when, and that we made it', () => {
  const { links, tomorrow } = make()
  expect(links.link(7, tomorrow)).toMatch(
    /^https:\/\/shop\.example\/api\/v1\/exports\/7\/file\/\?expires=1795339800&signature=[\w-]{43}$/,
  )
  expect(links.link(7, tomorrow)).toBe(links.link(7, tomorrow))
})

test('a link is good until it expires, and not a moment longer', () => {
  const { links, clock, tomorrow } = make()
  const parts = partsOf(links.link(7, tomorrow))
  expect(links.verify(...parts)).toBe(true)
  clock.advance(day - 1)
  expect(links.verify(...parts)).toBe(true)
  clock.advance(1)
  expect(links.verify(...parts)).toBe(false)
})

test('nothing in it can be changed', () => {
  const { links, tomorrow } = make()
  const [id, expires, signature] = partsOf(links.link(7, tomorrow))
  const flipped = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`
  const changed: readonly (readonly [number, string, string])[] = [
    [8, expires, signature],
    [77, expires, signature],
    [id, String(Number(expires) + 1), signature],
    [id, `0${expires}`, signature],
    [id, `${expires} `, signature],
    [id, 'Infinity', signature],
    [id, '', signature],
    [id, expires, flipped],
    [id, expires, signature.slice(0, -1)],
    [id, expires, `${signature}=`],
    [id, expires, ''],
  ]
  expect(changed.filter((parts) => links.verify(...parts))).toEqual([])
})

test('a link is good while the key is being changed, in both directions, and not after', () => {
  const before = make()
  const parts = partsOf(before.links.link(7, before.tomorrow))
  expect(make({ linkKey: nextKey, earlierLinkKeys: [linkKey] }).links.verify(...parts)).toBe(true)
  expect(make({ linkKey: nextKey, earlierLinkKeys: [] }).links.verify(...parts)).toBe(false)
  const after = partsOf(make({ linkKey: nextKey, earlierLinkKeys: [linkKey] }).links.link(7, before.tomorrow))
  expect(make({ linkKey, earlierLinkKeys: [nextKey] }).links.verify(...after)).toBe(true)
  expect(before.links.verify(...after)).toBe(false)
})

test('a key of another purpose makes no link', () => {
  const other = make({ linkKey: deriveKey('a secret key of thirty-two characters!', 'access-tokens') })
  expect(make().links.verify(...partsOf(other.links.link(7, other.tomorrow)))).toBe(false)
})
