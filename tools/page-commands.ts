/** Settings that a command of a page starts the server with. */
export const settingsIn = (command: string): Record<string, string> =>
  Object.fromEntries(
    [...command.matchAll(/([A-Z_]+)=(?:'([^']*)'|(\S+))/g)].map(([, name = '', quoted, plain]) => [
      name,
      quoted ?? plain ?? '',
    ]),
  )

/** The lines of what was printed, or of what a page shows, without those that are empty. */
export const linesOf = (texts: readonly string[]): string[] =>
  texts.flatMap((text) => text.trim().split(/\r?\n/)).filter((line) => line !== '')
