// npm run build: builds the console into console/dist, and compresses its files for the server to send as they are. What was
// built before is served until all of it is done.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { builtFolder, consoleFolder, consoleStampName, wantedConsoleStamp } from './console-stamp.mjs'

const next = join(consoleFolder, 'dist-next')
const before = join(consoleFolder, 'dist-before')

const vite = join(import.meta.dirname, '../node_modules/.bin/vite')

const main = async () => {
  const stamp = wantedConsoleStamp()
  if (stamp === undefined) throw new Error(`There is no console in ${consoleFolder}.`)
  run(join(import.meta.dirname, 'console-types.mjs'))
  run(vite, 'build', consoleFolder, '--outDir', next, '--emptyOutDir', '--logLevel', 'error')
  const sizes = await Promise.all((await filesIn(next)).map(compress))
  // Last: what has it is whole.
  await writeFile(join(next, consoleStampName), stamp)
  await replaceBuilt()
  const [plain, packed] = [0, 1].map((kind) => Math.round(sizes.reduce((sum, pair) => sum + pair[kind], 0) / 1024))
  console.log(`console/dist: ${sizes.length} files, ${plain} KiB, ${packed} KiB compressed`)
}

/** With this Node.js, and for production, whatever the shell says: React is another one in development. */
const run = (...args) => {
  execFileSync(process.execPath, args, { stdio: 'inherit', env: { ...process.env, NODE_ENV: 'production' } })
}

const replaceBuilt = async () => {
  await rm(before, { recursive: true, force: true })
  if (existsSync(builtFolder)) await rename(builtFolder, before)
  await rename(next, builtFolder)
  await rm(before, { recursive: true, force: true })
}

const filesIn = async (folder) => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

/** Fonts and pictures are compressed already, and the page itself is another one in each answer. */
const isText = /\.(js|css|svg|json|webmanifest|txt)$/
const smallest = 1024

/** Writes the compressed files beside a file, where they are smaller. @returns its size, plain and at best. */
const compress = async (file) => {
  const { size } = await stat(file)
  if (!isText.test(file) || size < smallest) return [size, size]
  const content = await readFile(file)
  const brotli = await promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: size } })
  const gzipped = await promisify(gzip)(content, { level: 9 })
  await Promise.all([writeFile(`${file}.br`, brotli), writeFile(`${file}.gz`, gzipped)])
  return [size, brotli.length]
}

await main()
