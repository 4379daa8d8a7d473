import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '#platform/config.ts'
import { superuser } from './logins.ts'

/** Says of a data directory that it holds a demo, and nothing that anybody would miss. */
const markerName = 'this-is-a-demo.txt'

/** Settings of a demo, where the environment does not say otherwise. */
export const demoSettings = { DATA_DIR: './data-demo' } as const

/**
 * The configuration of a demo. The data directory is marked as one, or was already.
 * @throws Error with one line for a directory that holds anything else, and in production: everybody knows the passwords of a demo.
 */
export const configureDemo = (config: Config): Config => {
  if (config.NODE_ENV === 'production')
    throw new Error(
      '--demo is not for NODE_ENV=production: its passwords are printed, and its webhooks stay on this machine.',
    )
  claimFolder(config.DATA_DIR)
  return { ...config, ADMIN_EMAIL: superuser.email, ADMIN_PASSWORD: superuser.password, COMMERCE_CONNECTOR: 'ledger' }
}

const claimFolder = (directory: string): void => {
  const marker = join(directory, markerName)
  if (existsSync(marker)) return
  if (existsSync(directory) && readdirSync(directory).length > 0)
    throw new Error(
      `${directory} holds something else than a demo, and --demo leaves it alone: set DATA_DIR to an empty folder, or leave --demo out.`,
    )
  mkdirSync(directory, { recursive: true })
  writeFileSync(marker, 'Made by npm start -- --demo. It can be deleted with everything beside it.\n')
}
