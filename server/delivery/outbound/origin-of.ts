/** Scheme, host and port: what a credential is given to. (The `origin` of a URL that is not of the web is the word null.) */
export const originOf = (url: string): string => {
  const { protocol, host } = new URL(url)
  return `${protocol}//${host}`
}
