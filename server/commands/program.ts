import { readFileSync } from 'node:fs'
import {
  buildApplication,
  buildRouteMap,
  help,
  proposeCompletions,
  run,
  text_en,
  version,
  type Application,
  type CommandContext,
  type StricliProcess,
} from '@stricli/core'
import { apiCommands } from './api/commands.ts'
import { CommandFailure, exitCodes } from './failure.ts'
import { installationCommands } from './installation/commands.ts'
import { toolCommands } from './tools/commands.ts'

// Each command says here what it takes, and is loaded when it is the one that is run.

const { version: currentVersion } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as {
  version: string
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The sentence alone: what went wrong is for whoever gave the command, and no place in our code. */
const sentenceOf = (error: unknown): string => {
  const message = messageOf(error)
  if (!process.argv.includes('--json')) return `waybill: ${message}`
  return JSON.stringify({ error: message, exit_code: exitCodeOf(error) })
}

const exitCodeOf = (error: unknown): number => (error instanceof CommandFailure ? error.exitCode : exitCodes.failed)

/** The command line of `waybill`. */
const makeProgram = (): Application<CommandContext> =>
  buildApplication(
    buildRouteMap({
      routes: { ...installationCommands, ...apiCommands, ...toolCommands },
      docs: {
        brief: 'Runs, looks after and uses a Waybill server.',
        fullDescription: [
          'Runs, looks after and uses a Waybill server.',
          '',
          'Commands about the installation read the settings of the server: its environment and .env. All others ask a',
          'server, which --server and --key name, or WAYBILL_SERVER and WAYBILL_KEY.',
          'Ends with 0 when it is done, 1 when it failed, 2 for wrong usage, 3 without a server, 4 when the server refuses',
          'the key, 5 when something does not exist.',
        ].join('\n'),
      },
    }),
    {
      name: 'waybill',
      scanner: { caseStyle: 'allow-kebab-for-camel', allowArgumentEscapeSequence: true },
      documentation: { disableAnsiColor: true },
      localization: { text: texts },
      determineExitCode: exitCodeOf,
    },
    {
      help: help({
        brief: 'Say what the command takes',
        formatting: { caseStyle: 'convert-camel-to-kebab', onlyRequiredInUsageLine: true, useAliasInUsageLine: false },
      }),
      version: version({ brief: 'Say which version this is', info: { currentVersion } }),
    },
  )

const texts = {
  ...text_en,
  noCommandRegisteredForInput: ({ input, corrections }: { input: string; corrections: readonly string[] }) =>
    `waybill: There is no command ${input}.${corrections.length > 0 ? ` Did you mean ${corrections.join(' or ').replaceAll('`', '')}?` : ''} waybill --help lists all.`,
  exceptionWhileParsingArguments: (error: unknown): string =>
    `waybill: ${text_en.exceptionWhileParsingArguments.call({ formatException: messageOf }, error, false).replace(/\.?$/, '.')} The same command with --help says what it takes.`,
  exceptionWhileRunningCommand: sentenceOf,
  exceptionWhileLoadingCommandFunction: sentenceOf,
}

/** Runs one command. Its result is the exit code of the process. */
export const runCommandLine = async (args: readonly string[]): Promise<void> => {
  const asked = process.env['WAYBILL_COMPLETE']
  if (asked !== undefined) return complete(args, asked === 'described')
  const terminal = terminalOf()
  await run(makeProgram(), args.length === 0 ? ['--help'] : args, { process: terminal })
  const code = Number(terminal.exitCode ?? exitCodes.done)
  // Below 0 are the library's own codes for what it cannot understand.
  process.exitCode ??= code < 0 ? exitCodes.wrongUsage : code
}

const terminalOf = (): StricliProcess => ({ stdout: process.stdout, stderr: process.stderr, env: process.env })

/** What could stand in the place of the last word, for the scripts of `waybill completion`. */
const complete = async (args: readonly string[], isDescribed: boolean): Promise<void> => {
  const proposed = await proposeCompletions(makeProgram(), args, { process: terminalOf() })
  for (const { completion, brief } of proposed)
    process.stdout.write(isDescribed ? `${completion}:${brief.replaceAll(':', ' ')}\n` : `${completion}\n`)
}
