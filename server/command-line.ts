import { parseArgs } from 'node:util'

/** What a process does: everything, only answer requests, or only deliver (many processes on one PostgreSQL). */
export type Role = 'all' | 'api' | 'worker'

const roles: readonly string[] = ['all', 'api', 'worker'] satisfies Role[]

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
  if (!roles.includes(values.role))
    throw new Error(`--role must be one of: ${roles.join(', ')} (it is ${values.role}).`)
  if (values.demo && values.role !== 'all')
    throw new Error('--demo is one process that does everything: leave --role out.')
  return { help: values.help, role: values.role as Role, isDemo: values.demo }
}
