// Whether the console is built of what its sources are now. Like prepare.mjs, without what an old Node.js could not parse.
import { createHash } from 'crypto'
import * as fs from 'fs'
import * as path from 'path'
import { fileURLToPath } from 'url'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))

export const consoleFolder = path.join(root, 'console')
export const builtFolder = path.join(consoleFolder, 'dist')
/** In what was built: of which sources. Its name keeps it from being served. */
export const consoleStampName = '.built-from'

const otherSources = ['docs/openapi.json', 'package-lock.json', 'tools/build-console.mjs', 'tools/console-types.mjs']

/** What is built now was built from; undefined where nothing is built. */
export function builtConsoleStamp() {
  const file = path.join(builtFolder, consoleStampName)
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined
}

/** What a build would be made from; undefined where there is no console to build. */
export function wantedConsoleStamp() {
  if (!fs.existsSync(path.join(consoleFolder, 'index.html'))) return undefined
  const hash = createHash('sha256')
  for (const file of [...sourcesIn(consoleFolder), ...otherSources.map((name) => path.join(root, name))]) {
    if (!fs.existsSync(file)) continue
    const content = fs.readFileSync(file)
    hash.update(`${path.relative(root, file)} ${content.length}\n`).update(content)
  }
  return hash.digest('hex')
}

/** Every file below the folder, in an order that is always the same, but for what is made from others. */
function sourcesIn(folder) {
  const entries = fs.readdirSync(folder, { withFileTypes: true })
  entries.sort((one, other) => (one.name < other.name ? -1 : 1))
  return entries.flatMap((entry) => {
    const file = path.join(folder, entry.name)
    if (!entry.isDirectory()) return [file]
    const isMade = entry.name === 'generated' || (folder === consoleFolder && entry.name.startsWith('dist'))
    return isMade ? [] : sourcesIn(file)
  })
}
