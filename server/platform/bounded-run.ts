import { createContext, Script } from 'node:vm'

/** A context of its own costs a millisecond once; calls cost 0.1 ms. */
const sandbox: { work: (() => unknown) | undefined } = { work: undefined }
const context = createContext(sandbox)
const script = new Script('work()')

/**
 * Runs work whose time is not ours to know, such as regular expressions and schemas of users, for so long at most. The time is
 * that of the processor: where other programs had it, the work begins again, so it must not have effects.
 * @returns what it returns; undefined where it would have taken longer, or would have needed more of the stack.
 */
export const runBounded = <T extends object>(maxMs: number, work: () => T): T | undefined => {
  for (let timeout = maxMs; timeout <= 16 * maxMs; timeout *= 2) {
    const before = process.threadCpuUsage()
    const done = runOnce(timeout, work)
    if (done !== 'timeout') return done
    const { user, system } = process.threadCpuUsage(before)
    if (user + system > 900 * maxMs) return undefined
  }
  return undefined
}

const runOnce = <T>(timeout: number, work: () => T): T | 'timeout' | undefined => {
  sandbox.work = work
  try {
    return script.runInContext(context, { timeout }) as T
  } catch (error) {
    if (error instanceof RangeError) return undefined
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return 'timeout'
    throw error
  } finally {
    sandbox.work = undefined
  }
}
