import { buildCommand } from '@stricli/core'
import { roles } from '../../command-line.ts'
import { dateOf, jsonFlag, oneArgument, toggle, type JsonFlag } from '../flags.ts'

const start = buildCommand({
  loader: async () => (await import('./start-server.ts')).startServer,
  parameters: {
    flags: {
      role: { kind: 'enum', values: roles, brief: 'What the process does', default: 'all' },
      demo: toggle('A company with a month of history, in ./data-demo unless DATA_DIR says otherwise'),
    },
  },
  docs: { brief: 'Start the server; it stays in the foreground' },
})

const settings = buildCommand({
  loader: async () => (await import('./list-settings.ts')).listSettings,
  parameters: {},
  docs: { brief: 'List every setting with its default' },
})

const migrate = buildCommand<JsonFlag>({
  loader: async () => (await import('./migrate.ts')).migrateDatabase,
  parameters: { flags: jsonFlag },
  docs: { brief: 'Bring the database to the schema of this version, as a start does' },
})

const doctor = buildCommand<JsonFlag & { readonly repair?: boolean; readonly since?: Date }>({
  loader: async () => (await import('./doctor.ts')).doctor,
  parameters: {
    flags: {
      ...jsonFlag,
      repair: toggle('Mend what can be mended; without it nothing is changed'),
      since: {
        kind: 'parsed',
        parse: dateOf,
        brief:
          'Leave out events from before this date, such as 2026-11-21; what waits to be delivered is looked at in any case',
        placeholder: 'date',
        optional: true,
      },
    },
  },
  docs: {
    brief: 'Check everything that is kept of events, deliveries and attempts',
    fullDescription:
      'Checks everything that is kept of events, deliveries and attempts, and ends with 0 when all is well, else with 1. Beside servers on PostgreSQL; with the embedded database the server must be stopped.',
  },
})

const rotateKey = buildCommand({
  loader: async () => (await import('./rotate-key.ts')).rotateSecretKey,
  parameters: {},
  docs: {
    brief: 'Encrypt everything that is stored with the present SECRET_KEY',
    fullDescription:
      'Encrypts everything that is stored with the present SECRET_KEY. Where the key was generated, makes a new one first. What to do before and after stands in docs/operating.md, "Changing SECRET_KEY".',
  },
})

const backup = buildCommand<JsonFlag, [string]>({
  loader: async () => (await import('./backup/backup.ts')).backup,
  parameters: {
    flags: jsonFlag,
    positional: oneArgument('folder', 'Where it is put; must be empty, or not there yet'),
  },
  docs: {
    brief: 'Copy the embedded database, also while its server runs',
    fullDescription:
      'Copies the embedded database and its key into a folder. A server that is running goes on meanwhile. Of PostgreSQL, make backups with pg_dump.',
  },
})

const restore = buildCommand<JsonFlag, [string]>({
  loader: async () => (await import('./backup/restore.ts')).restore,
  parameters: { flags: jsonFlag, positional: oneArgument('folder', 'What waybill backup has made') },
  docs: { brief: 'Put a backup into DATA_DIR, which must be empty' },
})

const moveTo = buildCommand<JsonFlag, [string]>({
  loader: async () => (await import('./move/move-to.ts')).moveTo,
  parameters: {
    flags: jsonFlag,
    positional: oneArgument('url', 'An empty database, as postgres://user:password@host:5432/database'),
  },
  docs: {
    brief: 'Move from the embedded database to PostgreSQL',
    fullDescription:
      'Moves everything of the embedded database in DATA_DIR into an empty PostgreSQL, ids and sequences kept, and compares both by counts and checksums. The server must be stopped. It may be killed at any time and run again.',
  },
})

/** Also one of `users`: it needs no server, and helps where nobody can log in. */
export const resetPassword = buildCommand<JsonFlag, [string]>({
  loader: async () => (await import('./reset-password.ts')).resetPasswordByHand,
  parameters: { flags: jsonFlag, positional: oneArgument('email', 'E-mail of the user') },
  docs: {
    brief: 'Give a user a new password, on the database itself',
    fullDescription:
      'Gives the user with this e-mail a new password, shows it once, and ends every key and session of theirs. It reads the settings of the server and needs no key; with the embedded database the server must be stopped.',
  },
})

export const installationCommands = { start, settings, migrate, doctor, backup, restore, moveTo, rotateKey }
