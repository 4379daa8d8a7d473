import { access } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'

/**
 * Lets the rest of the process go before this thread. Not the lowest priority, which on a busy machine is next to nothing. On Linux
 * every thread has one; elsewhere it would be that of the whole process. From here on nothing may start a thread: it would have
 * this priority, and the process would keep it for other work.
 */
export const lowerPriority = async (): Promise<void> => {
  // Any asynchronous work with files starts the threads that the whole process shares, in which xlsx is compressed.
  await access(import.meta.dirname)
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
}
