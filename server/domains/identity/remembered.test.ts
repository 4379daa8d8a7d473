import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeRemembered } from './remembered.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

/** A look-up whose answers are given one by one. */
const makeLookUp = () => {
  const asked: { readonly key: string; readonly answer: (found: string | undefined) => void }[] = []
  const lookUp = (key: string) =>
    new Promise<string | undefined>((resolve) => {
      asked.push({ key, answer: resolve })
    })
  return { asked, lookUp }
}
const answering = (found: string | undefined) => vi.fn<() => Promise<string | undefined>>(async () => found)

test('what was found is remembered for less than a second after it was asked for', async () => {
  const remembered = makeRemembered<string>()
  const { asked, lookUp } = makeLookUp()
  const first = remembered.get('key', lookUp)
  vi.advanceTimersByTime(600)
  asked[0]?.answer('old')
  expect(await first).toBe('old')
  vi.advanceTimersByTime(399)
  expect(await remembered.get('key', answering('new'))).toBe('old')
  vi.advanceTimersByTime(1)
  expect(await remembered.get('key', answering('new'))).toBe('new')
})

test('what is forgotten is looked up again, and a look-up that was under way then is not remembered', async () => {
  const remembered = makeRemembered<string>()
  const { asked, lookUp } = makeLookUp()
  const underWay = remembered.get('key', lookUp)
  remembered.forget()
  asked[0]?.answer('old')
  expect(await underWay).toBe('old')
  expect(await remembered.get('key', answering('new'))).toBe('new')
})

test('those who ask while a key is looked up share the answer, but not an error or nothing that came before', async () => {
  const remembered = makeRemembered<string>()
  const { asked, lookUp } = makeLookUp()
  const both = Promise.all([remembered.get('key', lookUp), remembered.get('key', lookUp)])
  expect(asked).toHaveLength(1)
  asked[0]?.answer('found')
  expect(await both).toEqual(['found', 'found'])
  await expect(remembered.get('other', () => Promise.reject(new Error('gone')))).rejects.toThrow('gone')
  expect(await remembered.get('other', answering('new'))).toBe('new')
})

test('a key that does not exist is asked for each time', async () => {
  const remembered = makeRemembered<string>()
  const lookUp = answering(undefined)
  await remembered.get('key', lookUp)
  await remembered.get('key', lookUp)
  expect(lookUp).toHaveBeenCalledTimes(2)
})

test('one key is forgotten without the others', async () => {
  const remembered = makeRemembered<string>()
  for (const key of ['one', 'other']) await remembered.get(key, answering('old'))
  remembered.forgetOne('one')
  const found = await Promise.all(['one', 'other'].map((key) => remembered.get(key, answering('new'))))
  expect(found).toEqual(['new', 'old'])
})
