/**
 * Replaces texts by others in one pass, so that what came in is not replaced again: a free port may contain the digits of
 * another. Only the dots of a text would mean something else in a pattern.
 */
export const replaceEach = (text: string, replacements: Readonly<Record<string, string>>): string => {
  const patterns = Object.keys(replacements).map((from) => from.replaceAll('.', String.raw`\.`))
  return text.replaceAll(new RegExp(patterns.join('|'), 'g'), (found) => replacements[found] ?? found)
}
