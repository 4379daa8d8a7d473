import { runCommandLine } from './commands/program.ts'

// `waybill COMMAND`: everything that is done with an installation by hand.
await runCommandLine(process.argv.slice(2))
