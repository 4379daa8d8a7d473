import { mask } from './named-secrets.ts'

const userinfo = /(:(?:\\*\/){2}|%3A%2F%2F)(?:(?!%2F|%40)[^\s/@"'<>?#\\])*(?:@[^\s/@"'<>?#\\]*)*(@|%40)/giu
const schemes = /\b((?:Bearer|Basic|Token|JWT|Api-?Key)(?:[ \t]+|%20|\+))([\w.~+/=%-]{6,})/giu
const word = /^(?:[A-Z]?[a-z]{1,23}|[A-Z]{1,12})$/u
const longRuns = /[\w.-]{20,}/gu
const prefixed =
  /(?:wb[lkr]_|whsec_|[srp]k_(?:live|test)_|gh[pousr]_|github_pat_|glpat-|xox[abeoprs]-|AKIA|shp(?:at|ss|ca|pa)_)[\w-]{16,}/u
const privateKeys = /-----BEGIN [A-Z ]*PRIVATE KEY-----/gu
const whsec = /whsec_[\w+/-]{16,}={0,2}/gu

/** Masks what is a secret by its own form: logins in URLs, `Bearer …` and `Basic …`, JWTs, keys with known beginnings. */
export const maskLoose = (text: string): string =>
  maskRuns(
    maskPrivateKeys(text)
      .replaceAll(userinfo, (_, start: string, end: string) => `${start}${mask}${end}`)
      .replaceAll(schemes, (all, start: string, value: string) => (isOrdinaryWord(value) ? all : `${start}${mask}`))
      .replaceAll(whsec, mask),
  )

/** Most texts have nothing in them that one of the runs could be masked for, and that is found out faster. */
const maskRuns = (text: string): string =>
  text.includes('eyJ') || prefixed.test(text)
    ? text.replaceAll(longRuns, (run) => maskJwt(run).replace(prefixed, mask))
    : text

/** `Basic authentication` and `Token expired.` name a thing, and are none. */
const isOrdinaryWord = (value: string): boolean => word.test(value.replace(/[.=:%+/-]+$/u, ''))

const maskPrivateKeys = (text: string): string => {
  let masked = ''
  let done = 0
  privateKeys.lastIndex = 0
  for (let found = privateKeys.exec(text); found !== null; found = privateKeys.exec(text)) {
    const end = text.indexOf('-----END', privateKeys.lastIndex)
    masked += text.slice(done, privateKeys.lastIndex) + mask
    done = end < 0 ? text.length : end
    privateKeys.lastIndex = done
  }
  return masked + text.slice(done)
}

/** A JWT begins with `{"` in base64url, and has parts with dots between them. */
const maskJwt = (run: string): string => {
  const start = run.indexOf('eyJ')
  return start >= 0 && run.includes('.', start) ? run.slice(0, start) + mask : run
}
