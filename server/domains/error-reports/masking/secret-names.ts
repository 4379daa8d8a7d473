import { matchAt, quotes } from './value-ends.ts'

/** Parts of a name that make what it names a secret, wherever they stand in it and however its words are joined. */
const strong =
  /authori[sz]ation|cookie|passw(?:or)?d|passphrase|passcode|passwort|kennwort|parola|[sş]ifre|mot[-_. ]?de[-_. ]?passe|contrase[nñ]a|пароль|token|secret(?!ar[yi])|api[-_. ]?key|(?:access|private|auth|encryption|signing|session|shared)[-_. ]?key|credential|session[-_.]?id|phpsessid|client[-_.]?assertion|saml[-_.]?response|bearer|jwt|card[-_.]?(?:number|no$)/iu
/** Words that make it one only as the last of its words: `license_key`, but not `key_count`. */
const weak = /(?:^|[-_.$])(?:key|pass|pwd?|auth|sig|signature|cvv2?|cvc2?|otp|pan|hmac(?:[-_.]?sha)?)[\d_.-]*$/iu
const weakInCamelCase =
  /[a-z\d](?:Key|Pass|Pwd|Auth|Sig|Signature|Cvv2?|Cvc2?|Otp|Pan|H(?:mac|MAC)(?:S(?:ha|HA))?)[\d_.-]*$/u
const separators = /[-_.$]/gu
const separator = /[-_.$]/u
/** What these say about a secret is none: `token_count`, `passwordLength`. */
const about =
  /(?:[-_. ](?:counts?|length|size|type|ttl|limit|expir(?:y|es|ation)(?:[-_](?:in|at|date))?)|(?<=[a-z\d])(?:Counts?|Length|Size|Type|Ttl|TTL|Limit|Expir(?:y|es|ation)(?:In|At|Date)?)|[-_](?:COUNTS?|LENGTH|SIZE|TYPE|TTL|LIMIT|EXPIR(?:Y|ES|ATION)(?:_(?:IN|AT|DATE))?))$/u
const token = [
  String.raw`(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z\d]{12,}`,
  String.raw`(?=[\w-]*\d)(?=[\w-]*[A-Z])(?=[\w-]*[a-z])[\w-]{20,}`,
  String.raw`[\dA-Fa-f]{8}-(?:[\dA-Fa-f]{4}-){3}[\dA-Fa-f]{12}`,
]
const valueOf = (forms: readonly string[]): RegExp => new RegExp(`(?:${quotes})?(?:${forms.join('|')})`, 'uy')
/** Words that mean other things too, and what makes a secret of what they name. */
const vague: readonly (readonly [name: RegExp, value: RegExp])[] = [
  [
    /(?:(?:^|[-_.$])(?:session|SESSION)|(?:^|[-_.$a-z\d])Session|^(?:connect\.)?sid)$/u,
    valueOf([`(?:s%3A|s:)?(?:${token.join('|')})`]),
  ],
  [/(?:(?:^|[-_.$])(?:pin|PIN)|(?:^|[-_.$a-z\d])Pin)$/u, valueOf([String.raw`\d{4,12}(?![\w.:%-])`, ...token])],
]
/** What follows these in a header line is secret up to the end of the line. */
const header = /(?:authori[sz]ation|cookie2?)$/iu

export type SecretName = 'strong' | 'weak' | 'vague' | undefined

/** Longer names than this are judged by their end. */
const longestName = 200

/** Letters that have no capital one, or no small one, outside Turkish: `ŞİFRE` and `PIN` with a dot. */
const turkish = /İ|ı|\u0307|\u0327/u
const tailOf = (name: string): string => {
  const tail = name.slice(-longestName)
  if (!turkish.test(tail)) return tail
  return tail.normalize('NFC').replaceAll('\u0307', '').replaceAll('İ', 'I').replaceAll('ı', 'i')
}

/** Whether what has this name is a secret: for sure, when it does not look like an ordinary word, or only when it looks like one. */
export const secretName = (name: string): SecretName => {
  const tail = tailOf(name)
  if (about.test(tail)) return undefined
  if (strong.test(tail) || (separator.test(tail) && strong.test(tail.replaceAll(separators, '')))) return 'strong'
  if (weak.test(tail) || weakInCamelCase.test(tail)) return 'weak'
  return vague.some(([words]) => words.test(tail)) ? 'vague' : undefined
}

/** Whether what stands here under this name may be a secret. */
export const isSecretAt = (text: string, at: number, name: string): boolean => {
  const kind = secretName(name)
  if (kind !== 'vague') return kind !== undefined
  const tail = tailOf(name)
  return vague.some(([words, values]) => words.test(tail) && matchAt(values, text, at) !== null)
}

/** Whether it is a header whose value has several words: `Authorization`, `Proxy-Authorization`, `Cookie`, `Set-Cookie`. */
export const isSecretHeader = (name: string): boolean => header.test(name)

const onlyStrong = new RegExp(`(?:${strong.source})$`, 'iu')

/** Whether a name says for sure that it is a secret, and nothing else behind that: `user_password`, but not `password_reset`. */
export const saysOnlySecret = (name: string): boolean => onlyStrong.test(tailOf(name))
