// Puts what was built in the place of what was built before, compressed for the server to send as it is.
import { existsSync } from 'node:fs'
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { wantedStamp, writeStamp } from './stamps.mjs'

/**
 * Builds one of `stamps.mjs`. What was built before is served until all of it is done.
 * @param make builds into the folder that it is given
 */
export const buildFolder = async (build, make) => {
  const { name, folder } = build
  const stamp = wantedStamp(build)
  if (stamp === undefined) throw new Error(`There is nothing to build of the ${name}.`)
  const next = `${folder}-next`
  await make(next)
  const sizes = await Promise.all((await filesIn(next)).map(compress))
  writeStamp(next, stamp)
  await replace(folder, next)
  const [plain, packed] = [0, 1].map((kind) => Math.round(sizes.reduce((sum, pair) => sum + pair[kind], 0) / 1024))
  console.log(`${name}/${basename(folder)}: ${sizes.length} files, ${plain} KiB, ${packed} KiB compressed`)
}

const replace = async (folder, next) => {
  const before = `${folder}-before`
  await rm(before, { recursive: true, force: true })
  if (existsSync(folder)) await rename(folder, before)
  await rename(next, folder)
  await rm(before, { recursive: true, force: true })
}

const filesIn = async (folder) => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

/** Fonts and pictures are compressed already, and pages of the console are others in each answer. */
const isText = /\.(js|css|svg|json|webmanifest|txt)$|guide\/dist-next\/.*\.html$/
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
