import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const dist = join(import.meta.dirname, '../../dist')
const assets = join(dist, 'assets')
const read = (name: string): string => readFileSync(join(assets, name), 'utf8')

const isWeighed = /\.(js|css)$/
/** Static imports of a chunk: they are fetched before it runs. */
const staticImport = /(?:from|import)\s*["'`]\.\/([\w.-]+\.js)["'`]/g
/** What is imported when it is needed, and what Vite fetches with it. */
const lazyImport = /\bimport\(["'`]\.\/([\w.-]+\.js)["'`]\)(?:[^`]{0,200}?__vite__mapDeps\(\[([\d,]*)\]\))?/g
const fetchedTogether = /__vite__mapDeps=.*?\[("assets\/.*?")\]/

const all = (pattern: RegExp, text: string): readonly string[] =>
  [...text.matchAll(pattern)].map(([, name = '']) => name)

/** Files with all that they import statically. */
const withImports = (names: Iterable<string>): ReadonlySet<string> => {
  const found = new Set(names)
  // What is added to a set while it is walked is walked too.
  for (const name of found) if (name.endsWith('.js')) for (const one of all(staticImport, read(name))) found.add(one)
  return found
}

/** Scripts and styles that a browser fetches before the first screen: those that a page names, and their imports. */
export const firstLoad = (page = 'index.html'): ReadonlySet<string> =>
  withImports(all(/(?:src|href)="\/assets\/([\w.-]+\.(?:js|css))"/g, readFileSync(join(dist, page), 'utf8')))

/** The same with the parts that a screen is made of, by the name of its file. */
export const firstLoadOf = (page: string, screen: RegExp): ReadonlySet<string> => {
  const wanted = [...lazyParts()].find(([name]) => screen.test(name))?.[1]
  if (wanted === undefined) throw new Error(`No part is called ${screen}.`)
  return firstLoad(page).union(withImports(wanted))
}

/** Everything that is imported when it is needed, with the scripts and styles that come along and are not there yet. */
export const lazyParts = (): ReadonlyMap<string, ReadonlySet<string>> => {
  const first = firstLoad()
  const parts = new Map<string, ReadonlySet<string>>()
  for (const chunk of readdirSync(assets).filter((name) => name.endsWith('.js'))) {
    const text = read(chunk)
    const together = JSON.parse(`[${fetchedTogether.exec(text)?.[1] ?? ''}]`) as readonly string[]
    for (const [, name = '', places = ''] of text.matchAll(lazyImport)) {
      const along = places.split(',').flatMap((place) => (place === '' ? [] : (together[Number(place)] ?? [])))
      const names = along.map((path) => path.replace('assets/', '')).filter((one) => isWeighed.test(one))
      parts.set(name, withImports([name, ...names]).difference(first))
    }
  }
  return parts
}

/** Bytes that go over the wire, as any browser may get them. */
export const gzipped = (names: Iterable<string>): number =>
  [...names].reduce((sum, name) => sum + gzipSync(read(name), { level: 9 }).length, 0)
