import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import MiniSearch from 'minisearch'
import { afterAll, describe, expect, test } from 'vitest'
import { buildGuide } from './build-guide.ts'
import { contentsFile, readContents } from './contents.ts'
import { makeResolve } from './links.ts'
import { readGuide } from './pages.ts'
import { sectionOf } from './sections.ts'

const root = join(import.meta.dirname, '..')
const folder = join(mkdtempSync(join(tmpdir(), 'waybill-guide-')), 'dist')
afterAll(() => rmSync(join(folder, '..'), { recursive: true }))
const names = await buildGuide(root, folder)
const read = (name: string): string => readFileSync(join(folder, name), 'utf8')
const idsIn = (name: string): string[] => [...read(name).matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id)

test('every document is in the table of contents, once', () => {
  const sources = readContents(root).flatMap(({ entries }) => entries.map(({ source }) => source))
  const documents = globSync(['docs/*.md', 'sdk/*/README.md'], { cwd: root }).filter((file) => file !== contentsFile)
  const missing = documents.filter((file) => !sources.includes(file))
  expect(missing, `a line in ${contentsFile} makes a document a page of the guide`).toEqual([])
  expect(sources).toEqual([...new Set(sources)])
  expect(names).toHaveLength(sources.length + 1)
})

describe.each(names)('%s', (name) => {
  const html = read(name)
  const targets = [...html.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, target = '']) => target)

  test('names only what is in the guide, by relative paths', () => {
    const inside = targets.filter((target) => !/^(https?|mailto):/.test(target))
    const wrong = inside.filter((target) => {
      const [path = '', anchor] = target.split('#')
      const file = path === '' ? name : path
      if (!existsSync(join(folder, file))) return true
      return anchor !== undefined && !idsIn(file).includes(anchor)
    })
    expect(wrong).toEqual([])
    expect(inside.filter((target) => target.startsWith('/'))).toEqual([])
    expect(inside.length).toBeGreaterThan(names.length)
  })

  test('has one title, anchors of its own, and nothing that the policy of the server refuses', () => {
    expect(html.match(/<h1/g)).toHaveLength(1)
    expect(idsIn(name)).toEqual([...new Set(idsIn(name))])
    expect(html.match(/<script(?! src="[\w-]+\.js" defer>)|<style| style="| on\w+="|type="module"/g)).toBeNull()
  })
})

test('the search finds something on every page', () => {
  // As the browser reads it.
  // oxlint-disable-next-line no-eval -- it is a script that was just made here
  const { options, index } = (0, eval)(`${read('search-index.js')};globalThis.guideIndex`) as {
    readonly options: ConstructorParameters<typeof MiniSearch>[0]
    readonly index: string
  }
  const search = MiniSearch.loadJSON(index, options)
  const found = (words: string): string[] =>
    search.search(words, { combineWith: 'AND' }).map(({ id }) => String(id).replace(/#.*/, ''))
  for (const name of names) {
    const [, words = ''] = /<h1[^>]*>(.*?)<\/h1>/.exec(read(name)) ?? []
    expect(found(words), `a search for ${words}`).toContain(name)
  }
  expect(found('retry')).toEqual(expect.arrayContaining(found('Retries')))
})

describe('a link', () => {
  const { pages } = readGuide(root)
  const [index] = pages
  const resolve = (href: string) => {
    if (index === undefined) throw new Error('There is no page.')
    return makeResolve(root, pages)(index, href)
  }

  test.each([
    ['delivery.md', { kind: 'page', href: 'delivery.html', title: 'Delivery' }],
    ['delivery.md#retries', { kind: 'page', href: 'delivery.html#retries', title: 'Delivery' }],
    ['../README.md#a-five-minute-tour', { kind: 'page', href: 'a-five-minute-tour.html', title: 'Tour' }],
    ['../README.md', { kind: 'source', path: 'README.md' }],
    ['../server/main.ts', { kind: 'source', path: 'server/main.ts' }],
    ['receiver.mjs', { kind: 'file', href: 'receiver.mjs', path: 'docs/receiver.mjs' }],
    ['https://example.com/a#b', { kind: 'outside', href: 'https://example.com/a#b' }],
  ])('to %s leads there', (href, target) => {
    expect(resolve(href)).toEqual(target)
  })

  test.each(['nothing.md', 'delivery.md#nothing', '#nothing', '../server/nothing.ts'])('to %s fails', (href) => {
    expect(() => resolve(href)).toThrow(`the link ${href} leads nowhere`)
  })
})

test('a section is a page of its own, without what stands in code', () => {
  const text = '# A\n\n## B `x`\n\n```bash\n# B\n```\n\n### C\n\n## D\n'
  expect(sectionOf(text, 'b-x')).toBe('# B `x`\n\n```bash\n# B\n```\n\n## C\n')
  expect(() => sectionOf(text, 'b')).toThrow('#b')
})
