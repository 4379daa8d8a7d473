/** Ends of names, in small letters with `_` between their words, that make what they name a secret. */
const long = [
  'authori[sz]ation|authentication|bearer|cookie|credential|passw(?:or)?d|passphrase|passcode|passwort|kennwort|parola|[sş]ifre',
  'secret|signature|token|assertion|session_?id|jsessionid|phpsessid|card_?(?:number|no)',
  '(?:access|account|api|app|auth|consumer|encryption|license|master|merchant|private|secret|service|session|shared|signing)_?key',
].join('|')
/** Those that also end other words, as `bypass` and `Japan` do. */
const short = 'auth|cv[vc]2?|hmac|jwt|otp|pan|pass|pwd|sig'
const ending = new RegExp(`(?:${long}|(?:^|_)(?:${short}))s?(?:_?confirm(?:ation)?)?[_\\d]*$`, 'u')

const camelCase = /(?<=[a-z\d])(?=[A-Z])/gu
const separators = /%[\dA-Fa-f]{2}|[^\p{L}\d]+/gu
/** Longer names are judged by their end. */
const longestEnd = 100

/**
 * Whether what has this name is a secret: `user_password`, `X-Api-Key`, `newToken`, `user[password]`. What a name says about a secret
 * is none: `token_count`, `passwordLength`.
 */
export const isSecretName = (name: string): boolean =>
  ending.test(name.slice(-longestEnd).replaceAll(separators, '_').replaceAll(camelCase, '_').toLowerCase())
