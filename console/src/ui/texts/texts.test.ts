import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'

const source = join(import.meta.dirname, '../..')
const rooms = globSync('**/en.json', { cwd: source }).map((file) => file.replace(/\/en\.json$/, ''))

const keysOf = (texts: object, prefix = ''): string[] =>
  Object.entries(texts).flatMap(([key, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null ? keysOf(value, `${prefix}${key}.`) : [prefix + key],
  )

const read = (room: string, language: string): object =>
  JSON.parse(readFileSync(join(source, room, `${language}.json`), 'utf8')) as object

/** `{{count}}`, `<b>`: what the code puts in has to stand in every language. */
const slotsOf = (text: unknown): string[] => (String(text).match(/\{\{\w+|<\w+>/g) ?? []).toSorted()

const valueOf = (texts: object, key: string): unknown =>
  key.split('.').reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], texts)

test.each(rooms)('%s says the same things in both languages', (room) => {
  const [en, tr] = [read(room, 'en'), read(room, 'tr')]
  expect(keysOf(tr).toSorted()).toEqual(keysOf(en).toSorted())
  const different = keysOf(en).filter((key) => slotsOf(valueOf(en, key)).join() !== slotsOf(valueOf(tr, key)).join())
  expect(different).toEqual([])
})

test.each(rooms)('%s has a text for each key that its code names', (room) => {
  const texts = read(room, 'en')
  const keys = new Set(keysOf(texts))
  const files = globSync(`${room}/**/*.{ts,tsx}`, { cwd: source }).filter((file) => !file.endsWith('.test.ts'))
  const named = files.flatMap((file) => namedKeys(basename(room), readFileSync(join(source, file), 'utf8')))
  const missing = named.filter((key) => !keys.has(key) && !keys.has(`${key}_one`))
  expect(missing).toEqual([])
})

/** Keys that a file names: those of the screens that it uses, and those written out where it speaks in the texts of its room alone. */
const namedKeys = (room: string, code: string): string[] => {
  const screen = Object.entries(keysOfScreens).flatMap(([name, keys]) =>
    new RegExp(`<${name}\\s`).test(code) ? keys : [],
  )
  return [...screen, ...writtenKeys(room, code)]
}

const keysOfList = ['title', 'about', 'empty', 'empty_why']
const keysOfScreens = { ListScreen: keysOfList, BoardScreen: [...keysOfList, 'new.open'] }

const writtenKeys = (room: string, code: string): string[] => {
  const spoken = [...code.matchAll(/useTranslation\(([^)]*)\)/g)].map(([, namespace]) => namespace)
  if (spoken.length === 0 || spoken.some((namespace) => namespace !== `'${room}'`)) return []
  return [...code.matchAll(/\bt\('([\w.]+)'/g)].map(([, key]) => key ?? '')
}

test('every sentence is calm', () => {
  const loud = rooms.flatMap((room) => {
    const texts = read(room, 'en')
    return keysOf(texts)
      .filter((key) => /!|successfully|\bplease\b|oops|are you sure/i.test(String(valueOf(texts, key))))
      .map((key) => `${room}: ${key}`)
  })
  expect(loud).toEqual([])
})
