// Whether console and guide are built of what their sources are now. Like prepare.mjs, without what an old Node.js could not parse.
import { createHash } from 'crypto'
import * as fs from 'fs'
import * as path from 'path'
import { fileURLToPath } from 'url'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))

export const consoleFolder = path.join(root, 'console')

/** In what was built: of which sources. Its name keeps it from being served. */
const stampName = '.built-from'

/** What is built before it is served: where, of what, how. */
export const consoleBuild = {
  name: 'console',
  folder: path.join(consoleFolder, 'dist'),
  program: path.join('tools', 'build-console.mjs'),
  needs: 'vite',
  command: 'npm run build',
  sources: [
    'console',
    'docs/openapi.json',
    'package-lock.json',
    'tools/build-console.mjs',
    'tools/console-types.mjs',
    'tools/build-folder.mjs',
  ],
  isThere: () => fs.existsSync(path.join(consoleFolder, 'index.html')),
}

export const guideBuild = {
  name: 'guide',
  folder: path.join(root, 'guide', 'dist'),
  program: path.join('guide', 'main.mjs'),
  needs: 'markdown-it',
  command: 'npm run guide',
  sources: [
    'guide',
    'docs',
    'sdk',
    'README.md',
    'CHANGELOG.md',
    'package.json',
    'package-lock.json',
    'console/public/icon.svg',
    'tools/build-folder.mjs',
  ],
  isThere: () => fs.existsSync(path.join(root, 'guide', 'main.mjs')),
}

/** What is built now was built from; undefined where nothing is built. */
export function builtStamp({ folder }) {
  const file = path.join(folder, stampName)
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined
}

/** Marks what was built into a folder. Last: what has it is whole. */
export function writeStamp(folder, stamp) {
  fs.writeFileSync(path.join(folder, stampName), stamp)
}

/** What a build would be made from; undefined where there is nothing to build. */
export function wantedStamp({ sources, isThere }) {
  if (!isThere()) return undefined
  const hash = createHash('sha256')
  for (const file of sources.flatMap((name) => filesAt(path.join(root, name)))) {
    const content = fs.readFileSync(file)
    hash.update(`${path.relative(root, file)} ${content.length}\n`).update(content)
  }
  return hash.digest('hex')
}

function filesAt(place) {
  if (!fs.existsSync(place)) return []
  return fs.statSync(place).isDirectory() ? sourcesIn(place) : [place]
}

/** Every file below the folder, in an order that is always the same, but for what is made from others. */
function sourcesIn(folder) {
  const entries = fs.readdirSync(folder, { withFileTypes: true })
  entries.sort((one, other) => (one.name < other.name ? -1 : 1))
  return entries.flatMap((entry) => {
    const file = path.join(folder, entry.name)
    if (!entry.isDirectory()) return [file]
    const isMade = /^(generated|node_modules|__pycache__|dist(-next|-before)?)$/.test(entry.name)
    return isMade ? [] : sourcesIn(file)
  })
}
