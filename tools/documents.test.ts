import { spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { initialSettings } from '#domains/b2b/settings/settings.ts'
import { anchorsIn } from '../guide/sections.ts'
import { codeBlocks, projectRoot, readDocument } from './markdown.ts'
import { readSettings } from './settings-page.ts'

const files = globSync('{*.md,{server,docs,bench,guide}/**/*.md}', { cwd: projectRoot }).toSorted()
const rooms = files.filter((file) => /^(server|bench)\//.test(file))

const settings = readSettings()
/** What is written like settings of the environment and is none: other variables, and settings that the API changes. */
const otherNames = new Set([
  'TEST_DATABASE_URL',
  'TEST_DEMO_ORIGIN',
  'BENCH_DATABASE_URL',
  'TEST_EVERYTHING',
  'HTTPS_PROXY',
  'POSTGRES_PASSWORD',
  'WAYBILL_SERVER',
  'WAYBILL_KEY',
  ...Object.keys(initialSettings),
])

test('there are documents, and settings, to check', () => {
  expect(files.length).toBeGreaterThan(15)
  expect(settings.size).toBeGreaterThan(15)
})

describe.each(files)('%s', (file) => {
  const text = readDocument(file)
  const prose = text.replaceAll(/^```.*?^```$/gms, '')

  test('links to what is there', () => {
    const targets = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
    const local = targets.filter((target) => !/^https?:/.test(target))
    expect(local.filter((target) => !leadsSomewhere(file, target))).toEqual([])
  })

  test('has whole tables', () => {
    const parts = prose.match(/(?:^\|.*(?:\n|$))+/gm) ?? []
    expect(parts.filter((part) => !/^\|.*\n\|[ |:-]+\n/.test(part))).toEqual([])
  })

  test('names only settings that exist, with their defaults', () => {
    const known = (name: string): boolean => settings.has(name) || otherNames.has(name)
    const named = [...prose.matchAll(/`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\b/g)].map(([, name = '']) => name)
    const set = codeBlocks(text).flatMap((block) =>
      [...block.text.matchAll(/(?<![\w+/])([A-Z]+(?:_[A-Z]+)*)=/g)].map(([, name = '']) => name),
    )
    const shellVariables = new Set(['URL', 'TOKEN', 'LOCATION', 'ID', 'WAYBILL_SERVER', 'WAYBILL_KEY'])
    expect([...named, ...set].filter((name) => !known(name) && !shellVariables.has(name))).toEqual([])

    const defaults = [...prose.matchAll(/`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)` \(`?([^)`]+)`?\)/g)]
    const wrong = defaults.filter(([, name = '', value]) => settings.has(name) && settings.get(name)?.value !== value)
    expect(wrong.map(([whole]) => whole)).toEqual([])
  })

  test('has commands that a shell reads', () => {
    const blocks = codeBlocks(text).filter(({ kind }) => /^bash\b/.test(kind))
    // Those that nothing executes have at least no quote or bracket too few.
    const wrong = blocks.filter(({ text: lines }) => spawnSync('bash', ['-n'], { input: lines }).status !== 0)
    expect(wrong.map(({ text: lines }) => lines)).toEqual([])
  })

  test('names only commands that exist', () => {
    const { scripts } = JSON.parse(readDocument('package.json')) as { scripts: Record<string, string> }
    const commands = [...text.matchAll(/npm run ([\w:-]+)|npm (start|test)\b/g)].map(([, run, own]) => run ?? own ?? '')
    expect(commands.filter((name) => scripts[name] === undefined)).toEqual([])
  })
})

test.each(rooms)('%s names only files that are there', (file) => {
  const prose = readDocument(file).replaceAll(/^```.*?^```$/gms, '')
  const names = [...prose.matchAll(/`([\w./-]+(?:\.ts|\.mjs|\/))`/g)].map(([, name = '']) => name)
  const places = (name: string): string[] => [join(dirname(file), '**', name), join('server', name), name]
  const isThere = (name: string): boolean => globSync(places(name), { cwd: projectRoot }).length > 0
  // The last part of an API path, as in the tables of life cycles.
  const checked = names.filter((name) => !name.startsWith('/') && name !== 'cancel/')
  expect(checked.filter((name) => !isThere(name))).toEqual([])
})

test('each claim of docs/security.md names the test that shows it', () => {
  const rows = readDocument('docs/security.md')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| Claim'))
  expect(rows.length).toBeGreaterThan(25)
  expect(rows.filter((row) => !/\| \[[\w.-]+\.test\.ts\]\([^|]+ \|$/.test(row))).toEqual([])
})

test('.env.example has every setting with its meaning and default', () => {
  const expected = [...settings].map(([name, { text, value }]) => `# ${text}\n# ${name}=${value}`)
  expect(readDocument('.env.example').trim().split('\n\n').slice(1)).toEqual(expected)
})

/** A file or folder that is there, and for `#…` a heading that is in it. */
const leadsSomewhere = (file: string, target: string): boolean => {
  const [path = '', anchor] = target.split('#')
  const found = path === '' ? file : join(dirname(file), path)
  if (!existsSync(join(projectRoot, found))) return false
  return anchor === undefined || anchorsOf(found).has(anchor)
}

/** As GitHub makes them of headings. */
const anchorsOf = (file: string): ReadonlySet<string> => anchorsIn(readDocument(file))
