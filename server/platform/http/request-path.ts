/** The path of a request target as the router reads it: without query and fragment, and with `%6C` as the letter that it is. */
export const requestPath = (url: string): string => {
  const path = /^[^?#]*/.exec(url)?.[0] ?? ''
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

/** The path and the query of a request target, which may also be a whole URL. */
export const originForm = (target: string): string => {
  if (target.startsWith('/') || !URL.canParse(target)) return target
  const { pathname, search } = new URL(target)
  return pathname + search
}
