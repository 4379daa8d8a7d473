import { configHelp } from '#platform/config.ts'
import { readCommandLine } from './command-line.ts'
import { start } from './start.ts'

// `npm start` and whatever starts nothing but the server. It is `waybill start` (commands/) without loading a command line.

try {
  const { help, ...commandLine } = readCommandLine(process.argv.slice(2))
  if (help) process.stdout.write(configHelp())
  else await start(commandLine)
} catch (error) {
  process.stderr.write(`Waybill cannot start: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
