import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { layOut } from './layout.ts'
import { makeResolve } from './links.ts'
import { render } from './markdown.ts'
import { readGuide } from './pages.ts'
import { searchIndex } from './search-index.ts'

const { resolve: packageFile } = createRequire(import.meta.url)

/** What is taken along besides what documents link to, by its name in the guide. */
const assets: Readonly<Record<string, string>> = {
  'guide.css': join(import.meta.dirname, 'assets/guide.css'),
  'guide.js': join(import.meta.dirname, 'assets/guide.js'),
  'guide-search.js': join(import.meta.dirname, 'assets/guide-search.js'),
  // For a page without modules; the package names it for CDNs alone.
  'search.js': join(dirname(packageFile('minisearch')), '../umd/index.js'),
  'inter.woff2': packageFile('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'),
  'inter-ext.woff2': packageFile('@fontsource-variable/inter/files/inter-latin-ext-wght-normal.woff2'),
  'mono.woff2': packageFile('@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2'),
  'icon.svg': join(import.meta.dirname, '../console/public/icon.svg'),
}

/** Builds the guide of a project into a new folder. @returns the names of its pages. @throws when a link leads nowhere. */
export const buildGuide = async (root: string, folder: string): Promise<readonly string[]> => {
  const guide = readGuide(root)
  const resolve = makeResolve(root, guide.pages)
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
  const rendered = guide.pages.map((page) => ({ page, ...render(page, resolve) }))
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const write = (name: string, text: string): Promise<void> => writeFile(join(folder, name), text)
  for (const { page, ...parts } of rendered) await write(page.name, layOut(guide, page, parts, version))
  await write('search-index.js', searchIndex(rendered))
  const linked = rendered.flatMap(({ files }) => files).map((path) => [basename(path), join(root, path)] as const)
  for (const [name, file] of [...Object.entries(assets), ...linked]) await copyFile(file, join(folder, name))
  return guide.pages.map(({ name }) => name)
}
