/** Prints a line for a person. */
export const say = (line: string): void => void process.stdout.write(`${line}\n`)

/** Tells what goes on to whoever watches, and to nobody who reads the result. */
export const note = (line: string): void => void process.stderr.write(`${line}\n`)

/** Prints a value for a program. */
export const sayJson = (value: unknown): void => say(JSON.stringify(value, undefined, 2))

/** Prints rows below their headings, or a sentence when there is none. */
export const sayTable = (headings: readonly string[], rows: readonly (readonly string[])[], none: string): void => {
  if (rows.length === 0) return say(none)
  const lines = [headings, ...rows]
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  for (const line of lines)
    say(
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
}
