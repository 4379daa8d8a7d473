/** The host and path of where something goes; the scheme and the query are left out. */
export const shortUrl = (url: string): string => {
  const { host, pathname } = new URL(url)
  return pathname === '/' ? host : `${host}${pathname}`
}
