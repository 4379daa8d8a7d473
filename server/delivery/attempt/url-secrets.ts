/**
 * What an answer may repeat of the URL that it came from, and nobody may read there: the URL is stored encrypted, because its path
 * or its query may be the receiver's key. Path and query as a whole when they have more than one part, each part of the path
 * that is no ordinary word, each value of the query, and the user. The origin is none of it. Each as it is, and decoded.
 */
export const urlSecrets = (url: string): string[] => {
  if (!URL.canParse(url)) return []
  const { pathname, search, username, password } = new URL(url)
  const parts = pathname.split('/').filter((part) => part !== '')
  const whole = parts.length > 1 || search !== '' ? [pathname + search, pathname, search] : []
  const named = [...parts, username].filter((part) => !isWord(part))
  const texts = [...whole, ...named, ...search.slice(1).split(/[&=]/), password]
  return [...new Set(texts.flatMap((text) => [text, decoded(text)]))]
}

/** `notifications`, `webhooks`: what says in a path where it leads, and may stand in any answer. */
const isWord = (part: string): boolean => /^[a-z]{1,15}$/.test(part)

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
