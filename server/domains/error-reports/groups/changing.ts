/**
 * What changes from failure to failure. The second is a part of it that is found much faster: where it is not, nothing has to
 * be replaced.
 */
export type Changing = readonly [pattern: RegExp, part?: RegExp]

export const replaceChanging = (
  text: string,
  [pattern, part]: Changing,
  replacement: (found: string) => string = () => '#',
): string => (part === undefined || part.test(text) ? text.replaceAll(pattern, (found) => replacement(found)) : text)
