import { start } from '../../start.ts'
import type { Role } from '../../command-line.ts'
import { CommandFailure, exitCodes } from '../failure.ts'

/** waybill start */
export const startServer = async (flags: { readonly role: Role; readonly demo?: boolean }): Promise<void> => {
  const isDemo = flags.demo === true
  if (isDemo && flags.role !== 'all')
    throw new CommandFailure('--demo is one process that does everything: leave --role out.', exitCodes.wrongUsage)
  try {
    await start({ role: flags.role, isDemo })
  } catch (error) {
    process.stderr.write(`Waybill cannot start: ${error instanceof Error ? error.message : String(error)}\n`)
    // What was opened before the failure would keep the process.
    process.exit(exitCodes.failed)
  }
}
