import { execFile } from 'node:child_process'
import { tooManyRequests } from './errors.ts'

/** Starting the process takes most of it. */
const maxMs = 2_000
/** All patterns of a schema together; the server has to make their programs again, and answers nobody meanwhile. */
const maxProcessorMs = 100
/** Trials besides the one under way, of all users: two at once would take the time of each other. */
const maxWaiting = 10
let waiting = 0
let last: Promise<unknown> = Promise.resolve()

/** Ends itself, also when the server has ended meanwhile: the thread that tries patterns may never come back. */
const program = `setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${maxMs}).unref()
const { Worker } = require('node:worker_threads')
const workerData = require('node:fs').readFileSync(0, 'utf8')
new Worker(\`const { user } = process.threadCpuUsage()
for (const source of JSON.parse(require('node:worker_threads').workerData))
  for (const text of ['', '\\u{1F600}']) new RegExp(source, 'u').test(text)
if (process.threadCpuUsage().user - user > ${maxProcessorMs * 1_000}) throw new Error('too slow')\`, { eval: true, workerData })`

/**
 * Whether V8 can make programs of patterns, which it does at their first use, for each width of characters. For some, such as
 * `(?:|)(?:|)…`, it takes forever, and nothing but the end of the process ends it; it takes a while for many properties of characters,
 * such as `\p{L}`. Without either there is no such pattern.
 * @throws AppError 429 while too many others wait to be tried.
 */
export const canRunPatterns = async (patterns: readonly RegExp[]): Promise<boolean> => {
  const sources = patterns.map(({ source }) => source).filter((source) => /\(|\\p/i.test(source))
  if (sources.length === 0) return true
  if (waiting > maxWaiting)
    throw tooManyRequests('Schemas of others wait to be checked. Try again later.', maxWaiting, 2)
  waiting += 1
  const tried = last.then(() => canRunSources(sources))
  last = tried.catch(() => undefined)
  try {
    return await tried
  } finally {
    waiting -= 1
  }
}

/** The process ends itself, unless it is stopped or cannot start. */
const options = { timeout: 2 * maxMs, killSignal: 'SIGKILL' } as const

const canRunSources = (sources: readonly string[]): Promise<boolean> =>
  new Promise((resolve) => {
    const { stdin } = execFile(process.execPath, ['-e', program], options, (error) => resolve(error === null))
    // It may have ended before it read all.
    stdin?.on('error', () => undefined)
    stdin?.end(JSON.stringify(sources))
  })
