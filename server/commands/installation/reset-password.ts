import { existsSync } from 'node:fs'
import { resetPassword } from '../../compose/reset-password.ts'
import { openServerContext } from '../../open-server-context.ts'
import { databaseDirectory, loadConfig, startEmbedded } from '../../start-early.ts'
import { CommandFailure, exitCodes } from '../failure.ts'
import type { JsonFlag } from '../flags.ts'
import { say, sayJson } from '../output.ts'

/**
 * waybill users reset-password EMAIL: gives a person a new password, which is shown once, for whoever runs the installation. Beside
 * servers that are running on PostgreSQL; the embedded database has one process.
 */
export const resetPasswordByHand = async ({ json }: JsonFlag, email: string): Promise<void> => {
  const config = loadConfig()
  if (config.DATABASE_URL === undefined && !existsSync(databaseDirectory(config)))
    throw new Error(`There is no database in ${config.DATA_DIR}. Is DATA_DIR the right one?`)
  const context = await openServerContext('all', config, await startEmbedded('all', config))
  try {
    const result = await resetPassword(context, email)
    if (!result.ok) throw new CommandFailure(refusals[result.reason], exitCodes.failed)
    if (json === true) return sayJson({ email: result.email, password: result.password })
    say(`New password of ${result.email}: ${result.password} (shown only this once)`)
    say('Every key and session of theirs has ended, API keys too.')
  } finally {
    await context.database.close()
  }
}

const refusals = {
  nobody: 'Nobody has this e-mail. Nothing was changed.',
  inactive: 'The user with this e-mail is not active. Nothing was changed; a superuser can reactivate them.',
}
