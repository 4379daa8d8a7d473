// Makes the checkout runnable: installs the locked dependencies (the pinned Node.js is one of them)
// unless they are installed already. It runs on whatever Node.js the machine has, before anything is
// installed, so it has no dependencies and no syntax that an old Node.js could not even parse.
import { spawn } from 'child_process'
import { createHash } from 'crypto'
import * as fs from 'fs'
import * as path from 'path'
import { fileURLToPath } from 'url'

const oldestNode = [20, 19]
const lockPatienceMs = 15 * 60 * 1000

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const stampFile = path.join(root, 'node_modules', '.waybill-stamp')
const lockFile = path.join(root, '.install-lock')

main().catch((error) => {
  console.error(`waybill: ${error.message}`)
  process.exit(1)
})

async function main() {
  requireNode()
  // npm calls this as our `postinstall`, the last thing it does after any successful install. The
  // install that this file starts is stamped that way too, so an interrupted one never has a stamp.
  if (process.argv[2] === '--stamp') return fs.writeFileSync(stampFile, wantedStamp())
  if (isInstalled()) return
  await takeLock()
  try {
    if (!isInstalled()) await install()
  } finally {
    fs.rmSync(lockFile, { force: true })
  }
}

function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  const isOld = major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1])
  if (isOld) throw new Error(`needs Node.js ${oldestNode.join('.')} or newer, this is ${process.version}`)
}

/** The platform is part of it because node_modules holds native binaries and may have been copied. */
function wantedStamp() {
  const hash = createHash('sha256')
  hash.update(fs.readFileSync(path.join(root, 'package-lock.json')))
  return `${hash.digest('hex')} ${process.platform}-${process.arch}\n`
}

/** The pinned Node.js is looked for as well: an install without devDependencies is stamped but lacks it. */
function isInstalled() {
  const pinnedNode = path.join(root, 'node_modules', '.bin', 'node')
  return fs.existsSync(pinnedNode) && readOrEmpty(stampFile) === wantedStamp()
}

/** --include=dev: the pinned Node.js is needed under NODE_ENV=production too. */
async function install() {
  console.error('waybill: installing dependencies (npm ci), once…')
  fs.rmSync(stampFile, { force: true })
  const npm = spawn('npm', ['ci', '--include=dev', '--loglevel=error', '--no-audit', '--no-fund'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const exit = new Promise((resolve, reject) => {
    npm.on('error', reject)
    npm.on('exit', (code, signal) => resolve(signal || code))
  })
  if (npm.pid) fs.writeFileSync(lockFile, `${process.pid} ${npm.pid}`)
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => npm.kill(signal))
  const status = await exit
  if (status !== 0) throw new Error(`npm ci failed (${status})`)
  if (!isInstalled()) throw new Error('npm ci did not finish: are install scripts switched off?')
}

/** One install at a time. A lock whose processes are all gone was left by an interrupted install. */
async function takeLock() {
  const giveUpAt = Date.now() + lockPatienceMs
  for (;;) {
    try {
      return fs.writeFileSync(lockFile, String(process.pid), { flag: 'wx' })
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    if (isAbandoned()) fs.rmSync(lockFile, { force: true })
    else if (Date.now() > giveUpAt) throw new Error(`another install holds ${lockFile}`)
    else await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

/** An empty lock is one that its owner is just writing. */
function isAbandoned() {
  const pids = readOrEmpty(lockFile).split(' ').filter(Boolean)
  return pids.length > 0 && !pids.some((pid) => isAlive(Number(pid)))
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function readOrEmpty(file) {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT') return ''
    throw error
  }
}
