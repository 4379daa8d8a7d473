import { buildCommand, buildRouteMap } from '@stricli/core'
import { dateOf, portOf, oneArgument, optionalText, serverFlags, text, toggle, type ServerFlags } from '../flags.ts'
import { resetPassword } from '../installation/commands.ts'
import type { AddUserFlags } from './add-user.ts'
import type { ImportFlags } from './import-configuration.ts'
import type { ListenFlags } from './listen.ts'
import type { MakeKeyFlags } from './make-key.ts'
import type { SendEventsFlags } from './send-events.ts'
import { replay } from './replay-commands.ts'

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

const events = buildRouteMap({
  routes: {
    send: buildCommand<SendEventsFlags, [string?]>({
      loader: async () => (await import('./send-events.ts')).sendEvents,
      parameters: {
        flags: {
          ...serverFlags,
          data: optionalText('json', 'The object after the change; - reads it from standard input ({} without it)'),
          id: optionalText('id', 'Your name for the event, by which it is raised only once; made up without it'),
          object: optionalText('type:id', 'What it is about, such as customer:7'),
          timestamp: {
            kind: 'parsed',
            parse: dateOf,
            brief: 'When it happened; now without it',
            placeholder: 'time',
            optional: true,
          },
          file: optionalText('file', 'Events instead of one: a list in JSON, or one on each line; - is standard input'),
          strict: toggle('Refuse data that are not as docs/events.md shows them'),
        },
        positional: {
          kind: 'tuple',
          parameters: [{ parse: text, brief: 'Type of the event', placeholder: 'type', optional: true }],
        },
      },
      docs: { brief: 'Raise an event, or those of a file' },
    }),
  },
  docs: { brief: 'What has happened' },
})

const listen = buildCommand<ListenFlags>({
  loader: async () => (await import('./listen.ts')).listen,
  parameters: {
    flags: {
      ...serverFlags,
      event: {
        kind: 'parsed',
        parse: text,
        brief: 'Type or pattern, more than once for several (* without it)',
        placeholder: 'type',
        optional: true,
        variadic: true,
      },
      host: {
        kind: 'parsed',
        parse: text,
        brief: 'Address to listen on',
        placeholder: 'address',
        default: '127.0.0.1',
      },
      port: {
        kind: 'parsed',
        parse: portOf,
        brief: 'Port to listen on; 0 picks a free one',
        placeholder: 'port',
        default: '0',
      },
      url: optionalText('url', 'How the server reaches it, where that is another address'),
      forward: optionalText('url', 'Send what is verified on to this address, and answer what it answers'),
      secret: optionalText('secret', 'Verify with the secret of a hook that there is, and subscribe to nothing'),
    },
  },
  docs: {
    brief: 'Receive deliveries on this machine: verify, print, send on',
    fullDescription:
      'Subscribes to events for as long as it runs, verifies what is delivered, prints it, and sends it on. With --secret it only verifies, and needs no server. --json prints a line of JSON for each.',
  },
})

const exportCommand = buildCommand<ServerFlags & { readonly file?: string }>({
  loader: async () => (await import('./export-configuration.ts')).exportConfiguration,
  parameters: {
    flags: {
      ...serverFlags,
      file: optionalText('file', 'Where it is written; standard output without it'),
    },
  },
  docs: { brief: 'Write event types, hooks and settings into a file' },
})

const importCommand = buildCommand<ImportFlags, [string]>({
  loader: async () => (await import('./import-configuration.ts')).importConfiguration,
  parameters: {
    flags: {
      ...serverFlags,
      dryRun: toggle('Say what would be changed, and change nothing'),
      newSecrets: toggle('Make and print a new signing secret for each hook that is new and whose secret is masked'),
    },
    positional: oneArgument('file', 'What export has written; - is standard input'),
  },
  docs: { brief: 'Make event types, hooks and settings as a file says; nothing is removed' },
})

export const apiCommands = { users, keys, events, listen, replay, export: exportCommand, import: importCommand }
