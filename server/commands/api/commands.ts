import { buildCommand, buildRouteMap } from '@stricli/core'
import { dateOf, oneArgument, optionalText, serverFlags, text, toggle, type ServerFlags } from '../flags.ts'
import { resetPassword } from '../installation/commands.ts'
import type { AddUserFlags } from './add-user.ts'
import type { MakeKeyFlags } from './make-key.ts'

const users = buildRouteMap({
  routes: {
    list: buildCommand<ServerFlags>({
      loader: async () => (await import('./list-users.ts')).listUsers,
      parameters: { flags: serverFlags },
      docs: { brief: 'List who can log in' },
    }),
    add: buildCommand<AddUserFlags, [string]>({
      loader: async () => (await import('./add-user.ts')).addUser,
      parameters: {
        flags: {
          ...serverFlags,
          staff: toggle('Belongs to the back office'),
          superuser: toggle('May do everything'),
          firstName: optionalText('name', 'First name'),
          lastName: optionalText('name', 'Last name'),
          passwordStdin: toggle('Read a password from standard input; without it the user is invited by e-mail'),
        },
        positional: oneArgument('email', 'E-mail of the user'),
      },
      docs: { brief: 'Add a user, and invite them to choose a password' },
    }),
    resetPassword,
    switchOff: buildCommand<ServerFlags, [string]>({
      loader: async () => (await import('./switch-user.ts')).switchOff,
      parameters: { flags: serverFlags, positional: oneArgument('email', 'E-mail of the user') },
      docs: { brief: 'Keep a user from logging in; their keys end' },
    }),
    switchOn: buildCommand<ServerFlags, [string]>({
      loader: async () => (await import('./switch-user.ts')).switchOn,
      parameters: { flags: serverFlags, positional: oneArgument('email', 'E-mail of the user') },
      docs: { brief: 'Let a user log in again' },
    }),
  },
  docs: { brief: 'Who can log in' },
})

const keys = buildRouteMap({
  routes: {
    list: buildCommand<ServerFlags>({
      loader: async () => (await import('./list-keys.ts')).listKeys,
      parameters: { flags: serverFlags },
      docs: { brief: 'List the API keys of the user whose key is used' },
    }),
    make: buildCommand<MakeKeyFlags, [string]>({
      loader: async () => (await import('./make-key.ts')).makeKey,
      parameters: {
        flags: {
          ...serverFlags,
          scope: {
            kind: 'parsed',
            parse: text,
            brief: 'What the key is limited to, such as events:write; more than once for several',
            placeholder: 'scope',
            optional: true,
            variadic: true,
          },
          expires: {
            kind: 'parsed',
            parse: dateOf,
            brief: 'When it ends by itself',
            placeholder: 'date',
            optional: true,
          },
          login: optionalText(
            'email',
            'Make it with a password instead of a key: asked for, or read from standard input',
          ),
        },
        positional: oneArgument('name', 'What people tell it apart by'),
      },
      docs: { brief: 'Make an API key, and show it once' },
    }),
    revoke: buildCommand<ServerFlags, [string]>({
      loader: async () => (await import('./revoke-key.ts')).revokeKey,
      parameters: { flags: serverFlags, positional: oneArgument('id', 'Id of the key, as keys list shows it') },
      docs: { brief: 'End an API key' },
    }),
  },
  docs: { brief: 'API keys, for programs' },
})

export const apiCommands = { users, keys }
