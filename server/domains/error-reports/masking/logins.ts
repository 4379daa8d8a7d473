import { finderOf, inner, mask, type Finder } from './replacements.ts'
import { matchAt, quotedEnd, type Span } from './value-ends.ts'

/** The login in a URL ends at the last `@` before the path. A `%40` is part of it, unless no `@` comes behind. */
const inUrl = /(:(?:\\*\/){2})(?:[^\s/"'<>?#\\]+(@)|[^\s/"'<>?#\\&]+(%40))/gu
const inEncodedUrl = /(%3A%2F%2F)(?:(?!%2F|%3F|%23)[^\s/"'<>?#\\&])+(@|%40)/giu

/** `curl -u name:password`, with quotes, or as two elements of a list. */
const option =
  /(?<=^|[\s"'(`]|\\[nrt])(?:-[A-Za-z]{0,4}[uU]|--(?:proxy-)?user)(?:[ \t]{1,8}|=|\\*["'],\s{0,8})(\\*["'])?/gu
const bare = /(?:[^\s"'\\]|\\+(?!["'rn\\]))+/uy
const withPassword = /^([^\s:/+][^\s:/]*):(?!\/\/)(.+)$/u
/** Longer ones are none; and no text takes long because quotes are not closed. */
const longest = 500

/** Who runs a command may also be given as numbers, or as a user and his group of the same name: no password. */
const optionOf = (match: RegExpExecArray): Span | undefined => {
  const start = match.index + match[0].length
  const ahead = match.input.slice(start, start + longest)
  const [, quote] = match
  const value =
    quote === undefined
      ? matchAt(bare, ahead, 0)?.[0].replace(/[,;)]{1,4}$/u, '')
      : ahead.slice(0, quotedEnd(ahead, 0, quote))
  const [, user, password] = withPassword.exec(value ?? '') ?? []
  if (value === undefined || user === undefined || password === undefined || password === mask) return undefined
  return user === password || /^\d+:\d+$/u.test(value) ? undefined : { start, end: start + value.length }
}

export const loginFinders: readonly Finder[] = [
  finderOf(inUrl, (match) => inner(match, match[1]?.length, (match[2] ?? match[3])?.length)),
  finderOf(inEncodedUrl, (match) => inner(match, match[1]?.length, match[2]?.length)),
  finderOf(option, optionOf),
]
