/** Headers as one text, a line of `name: value` for each: cheaper to store than JSON, and they cannot hold a line break. */
export const headerLines = (headers: Readonly<Record<string, string>> | null): string | null => {
  if (headers === null) return null
  let lines = ''
  for (const name in headers) lines += `${lines === '' ? '' : '\n'}${name}: ${headers[name] ?? ''}`
  return lines
}

/** The headers that `headerLines` wrote. */
export const readHeaderLines = (lines: string | null): Record<string, string> | null =>
  lines === null
    ? null
    : Object.fromEntries(
        lines
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => {
            const end = line.indexOf(': ')
            return [line.slice(0, end), line.slice(end + 2)]
          }),
      )
