import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { CommandFailure, exitCodes } from './failure.ts'

/** A password from a terminal, where it is asked for and not shown, or the first line of what is piped in. */
export const readPassword = async (question: string): Promise<string> => {
  const isTerminal = process.stdin.isTTY
  if (isTerminal) process.stderr.write(question)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: silent, terminal: isTerminal })
  try {
    for await (const line of lines) if (line !== '') return line
  } finally {
    lines.close()
    if (isTerminal) process.stderr.write('\n')
  }
  throw new CommandFailure('There is no password in standard input.', exitCodes.wrongUsage)
}
