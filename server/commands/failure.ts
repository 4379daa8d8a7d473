/** How a command ends, for scripts; docs/command-line.md has the table. */
export const exitCodes = {
  done: 0,
  /** It did not work, and the message says why; for `doctor`: something was found. */
  failed: 1,
  wrongUsage: 2,
  /** Nobody answers at `--server`, or what answers is no Waybill. */
  noServer: 3,
  /** The key is missing or not valid, or may not do this. */
  refused: 4,
  /** What was named does not exist. */
  notFound: 5,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** Ends a command with a sentence for whoever gave it. */
export class CommandFailure extends Error {
  readonly exitCode: ExitCode

  constructor(message: string, exitCode: ExitCode = exitCodes.failed) {
    super(message)
    this.exitCode = exitCode
  }
}
