// Makes the checkout runnable: installs the locked dependencies unless they are installed already, and sees to it that
// node_modules/.bin/node runs the server: the pinned Node.js, a development dependency. With NODE_ENV=production nothing
// for development is installed, and the machine's Node.js runs the server when it is new enough; else the pinned one
// is installed by itself. `--dev` is for what needs everything, whatever NODE_ENV says. `--console` also builds console
// and guide when their sources are others than those that they were built from.
//
// It runs on whatever Node.js the machine has, before anything is installed, so it has no dependencies and no syntax
// that an old Node.js could not even parse.
import { spawn } from 'child_process'
import { createHash } from 'crypto'
import * as fs from 'fs'
import * as path from 'path'
import { fileURLToPath } from 'url'
import { builtStamp, consoleBuild, guideBuild, wantedStamp as wantedStampOf } from './stamps.mjs'

/** What this file and npm need, and what the server needs. */
const oldestNode = [20, 19]
const oldestServerNode = [24, 0]
const lockPatienceMs = 15 * 60 * 1000

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const stampFile = path.join(root, 'node_modules', '.waybill-stamp')
const lockFile = path.join(root, '.install-lock')
/** What runs the server. */
const nodeLink = path.join(root, 'node_modules', '.bin', 'node')
const pinnedNode = path.join(root, 'node_modules', 'node')
/** The pinned Node.js of a production that needs it, apart from what is locked. */
const ownNode = path.join(root, 'node_modules', '.node')

const isDevelopment = process.argv.includes('--dev')
const isProduction = process.env.NODE_ENV === 'production' && !isDevelopment

main().catch((error) => {
  console.error(`waybill: ${error.message}`)
  process.exit(1)
})

async function main() {
  requireNode()
  // npm calls this as our `postinstall`, the last thing it does after any successful install. The
  // install that this file starts is stamped that way too, so an interrupted one never has a stamp.
  if (process.argv[2] === '--stamp') return stamp()
  if (!isInstalled()) await underLock(async () => isInstalled() || install())
  if (process.argv.includes('--console')) await prepareBuilds()
}

async function underLock(work) {
  await takeLock()
  try {
    await work()
  } finally {
    fs.rmSync(lockFile, { force: true })
  }
}

/** Together, so that a first start does not wait for one after the other. */
async function prepareBuilds() {
  const old = () => [consoleBuild, guideBuild].filter((one) => !isBuilt(one))
  const canBuild = ({ needs }) => !isProduction || fs.existsSync(path.join(root, 'node_modules', needs))
  for (const one of old().filter((other) => !canBuild(other))) {
    const state = builtStamp(one) === undefined ? 'is not built' : 'was built from other sources than these'
    console.error(`waybill: the ${one.name} ${state}: run \`npm ci --include=dev && ${one.command}\``)
  }
  if (old().some(canBuild)) await underLock(() => Promise.all(old().filter(canBuild).map(build)))
}

function isBuilt(one) {
  const wanted = wantedStampOf(one)
  return wanted === undefined || wanted === builtStamp(one)
}

/** The server is of use without it; tests are not. */
async function build({ name, program }) {
  console.error(`waybill: building the ${name}, once…`)
  try {
    await run(nodeLink, [program])
  } catch (error) {
    if (isDevelopment) throw error
    console.error(`waybill: the ${name} could not be built (${error.message}); the server starts all the same`)
  }
}

function requireNode() {
  if (!isAtLeast(oldestNode))
    throw new Error(`needs Node.js ${oldestNode.join('.')} or newer, this is ${process.version}`)
}

function isAtLeast([wantedMajor, wantedMinor]) {
  const [major, minor] = process.versions.node.split('.').map(Number)
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)
}

function stamp() {
  fs.mkdirSync(path.dirname(stampFile), { recursive: true })
  fs.writeFileSync(stampFile, wantedStamp())
}

/** The platform is part of it because node_modules holds native binaries and may have been copied. */
function wantedStamp() {
  const hash = createHash('sha256')
  hash.update(fs.readFileSync(path.join(root, 'package-lock.json')))
  return `${hash.digest('hex')} ${process.platform}-${process.arch}\n`
}

/** The pinned Node.js is looked for as well: an install without development dependencies is stamped but lacks it. */
function isInstalled() {
  return isStamped() && fs.existsSync(nodeLink) && (isProduction ? !isOldMachineNode() : fs.existsSync(pinnedNode))
}

function isStamped() {
  return readOrEmpty(stampFile) === wantedStamp()
}

/** The link was made when the machine had a newer Node.js. */
function isOldMachineNode() {
  return fs.realpathSync(nodeLink) === fs.realpathSync(process.execPath) && !isAtLeast(oldestServerNode)
}

async function install() {
  if (!isProduction || !isStamped()) {
    console.error('waybill: installing dependencies (npm ci), once…')
    fs.rmSync(stampFile, { force: true })
    await npm(['ci', isProduction ? '--omit=dev' : '--include=dev'])
    if (!isStamped()) throw new Error('npm ci did not finish: are install scripts switched off?')
  }
  if (isProduction) await linkNode()
  if (!isInstalled()) throw new Error('the pinned Node.js was not installed')
}

async function linkNode() {
  fs.mkdirSync(path.dirname(nodeLink), { recursive: true })
  if (!isAtLeast(oldestServerNode)) {
    const { devDependencies } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'))
    console.error(`waybill: installing Node.js ${devDependencies.node}, as this is ${process.version}, once…`)
    fs.mkdirSync(ownNode, { recursive: true })
    fs.writeFileSync(
      path.join(ownNode, 'package.json'),
      JSON.stringify({ private: true, allowScripts: { node: true } }),
    )
    await npm(['install', `--prefix=${ownNode}`, '--include=prod', `node@${devDependencies.node}`])
  }
  const node = isAtLeast(oldestServerNode) ? process.execPath : path.join(ownNode, 'node_modules', '.bin', 'node')
  fs.rmSync(nodeLink, { force: true })
  fs.symlinkSync(node, nodeLink)
}

function npm(args) {
  return run('npm', [...args, '--loglevel=error', '--no-audit', '--no-fund'])
}

async function run(command, args) {
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  const exit = new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code, signal) => resolve(signal || code))
  })
  if (child.pid) fs.writeFileSync(lockFile, `${process.pid} ${child.pid}`)
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => child.kill(signal))
  const status = await exit
  if (status !== 0) throw new Error(`${path.basename(command)} ${args[0]} failed (${status})`)
}

/** One install or build at a time. A lock whose processes are all gone was left by an interrupted install. */
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
