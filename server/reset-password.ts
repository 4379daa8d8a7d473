import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { resetPassword } from './compose/reset-password.ts'
import { openServerContext } from './open-server-context.ts'
import { databaseDirectory, loadConfig, startEmbedded } from './start-early.ts'

/**
 * npm run reset-password -- EMAIL: gives a person a new password, which is shown once, for whoever runs the installation. Beside
 * servers that are running on PostgreSQL; the embedded database has one process.
 */
const main = async (email: string): Promise<void> => {
  const config = loadConfig()
  if (config.DATABASE_URL === undefined && !existsSync(databaseDirectory(config)))
    throw new Error(`There is no database in ${config.DATA_DIR}. Is DATA_DIR the right one?`)
  const context = await openServerContext('all', config, await startEmbedded('all', config))
  try {
    const result = await resetPassword(context, email)
    if (!result.ok) throw new Error(refusals[result.reason])
    process.stdout.write(
      `New password of ${result.email}: ${result.password} (shown only this once)\nEvery key and session of theirs has ended, API keys too.\n`,
    )
  } finally {
    await context.database.close()
  }
}

const refusals = {
  nobody: 'Nobody has this e-mail. Nothing was changed.',
  inactive: 'The user with this e-mail is not active. Nothing was changed; a superuser can reactivate them.',
}

const usage = `Usage: npm run reset-password -- EMAIL

Gives the user with this e-mail a new password, shows it once, and ends every key and session of theirs.
With the embedded database the server must be stopped.
`

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { help: { type: 'boolean', default: false } },
  })
  const [email, ...others] = positionals
  if (values.help) process.stdout.write(usage)
  else if (email === undefined || others.length > 0) throw new Error(`Expected one e-mail.\n${usage.trimEnd()}`)
  else await main(email)
} catch (error) {
  process.stderr.write(`reset-password: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
