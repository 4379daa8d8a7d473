import { createContext, Script } from 'node:vm'

/** A context of its own costs a millisecond once; calls cost 0.1 ms. */
const sandbox: { work: (() => unknown) | undefined } = { work: undefined }
const context = createContext(sandbox)
const script = new Script('work()')

/**
 * Runs work whose time is not ours to know, such as regular expressions and schemas of users, for so long at most.
 * @returns what it returns; undefined where it would have taken longer, or would have needed more of the stack.
 */
export const runBounded = <T extends object>(maxMs: number, work: () => T): T | undefined => {
  sandbox.work = work
  try {
    return script.runInContext(context, { timeout: maxMs }) as T
  } catch (error) {
    if (error instanceof RangeError || (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT')
      return undefined
    throw error
  } finally {
    sandbox.work = undefined
  }
}
