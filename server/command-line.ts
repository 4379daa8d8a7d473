import { parseArgs } from 'node:util'

/** What a process does: everything, only answer requests, or only deliver (many processes on one PostgreSQL). */
export type Role = 'all' | 'api' | 'worker'

const roles: readonly string[] = ['all', 'api', 'worker'] satisfies Role[]

/** Reads the arguments after `npm start --`. @throws Error with one line for an argument that does not exist. */
export const readCommandLine = (args: readonly string[]): { readonly help: boolean; readonly role: Role } => {
  const { values } = parseArgs({
    args: [...args],
    options: { help: { type: 'boolean', default: false }, role: { type: 'string', default: 'all' } },
  })
  if (!roles.includes(values.role))
    throw new Error(`--role must be one of: ${roles.join(', ')} (it is ${values.role}).`)
  return { help: values.help, role: values.role as Role }
}
