/** Any origin: of what leads elsewhere, it is another one. */
const here = 'http://waybill.invalid'

/** Where a login leads: the page that was asked for, as browsers read its address, if it is at the start page or below; else there. */
export const safeNext = (next: unknown, start: '/' | '/shop'): string => {
  if (typeof next !== 'string' || !next.startsWith('/') || !URL.canParse(next, here)) return start
  const { origin, pathname, search, hash } = new URL(next, here)
  const isOurs = start === '/' ? !pathname.startsWith('//') : /^\/shop(\/|$)/.test(pathname)
  return origin === here && isOurs ? pathname + search + hash : start
}
