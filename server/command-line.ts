import { parseArgs } from 'node:util'

/** What a process does: everything, only answer requests, or only deliver (many processes on one PostgreSQL). */
export type Role = 'all' | 'api' | 'worker'

export const roles = ['all', 'api', 'worker'] as const satisfies readonly Role[]
const isRole = (word: string): word is Role => roles.some((role) => role === word)

export interface CommandLine {
  readonly help: boolean
  readonly role: Role
  /** Whether the data is that of a demo, which is made where there is none. */
  readonly isDemo: boolean
}

/** Reads the arguments after `npm start --`. @throws Error with one line for an argument that does not exist. */
export const readCommandLine = (args: readonly string[]): CommandLine => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: 'boolean', default: false },
      role: { type: 'string', default: 'all' },
      demo: { type: 'boolean', default: false },
    },
  })
  const { role } = values
  if (!isRole(role)) throw new Error(`--role must be one of: ${roles.join(', ')} (it is ${role}).`)
  if (values.demo && role !== 'all') throw new Error('--demo is one process that does everything: leave --role out.')
  return { help: values.help, role, isDemo: values.demo }
}
