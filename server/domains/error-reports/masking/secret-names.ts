/** Parts of a name that make what it names a secret, wherever they stand in it and however its words are joined. */
const strong =
  /authori[sz]ation|cookie|passw(?:or)?d|passphrase|passcode|passwort|kennwort|parola|[sş]ifre|token|secret(?!ar[yi])|api[-_. ]?key|(?:access|private|auth|encryption|signing|session|shared)[-_. ]?key|credential|session[-_.]?id|bearer|jwt|card[-_.]?(?:number|no$)/iu
/** Words that make it one only as the last of its words: `license_key`, but not `key_count`. */
const weak = /(?:^|[-_.$])(?:key|pass|pwd|auth|sig|signature|cvv2?|cvc2?|otp|pan|hmac(?:[-_.]?sha)?)[\d_.-]*$/iu
const weakInCamelCase =
  /[a-z\d](?:Key|Pass|Pwd|Auth|Sig|Signature|Cvv2?|Cvc2?|Otp|Pan|H(?:mac|MAC)(?:S(?:ha|HA))?)[\d_.-]*$/u
const separators = /[-_.$]/gu
const separator = /[-_.$]/u
/** What these say about a secret is none: `token_count`, `passwordLength`. */
const about =
  /(?:[-_. ](?:counts?|length|size|type|ttl|limit|expir(?:y|es|ation)(?:[-_](?:in|at|date))?)|(?<=[a-z\d])(?:Counts?|Length|Size|Type|Ttl|TTL|Limit|Expir(?:y|es|ation)(?:In|At|Date)?)|[-_](?:COUNTS?|LENGTH|SIZE|TYPE|TTL|LIMIT|EXPIR(?:Y|ES|ATION)(?:_(?:IN|AT|DATE))?))$/u
/** What follows these in a header line is secret up to the end of the line. */
const header = /(?:authori[sz]ation|cookie2?)$/iu

export type SecretName = 'strong' | 'weak' | undefined

/** Longer names than this are judged by their end. */
const longestName = 200

/** Whether what has this name is a secret: for sure, or when it does not look like an ordinary word. */
export const secretName = (name: string): SecretName => {
  const tail = name.slice(-longestName)
  if (about.test(tail)) return undefined
  if (strong.test(tail) || (separator.test(tail) && strong.test(tail.replaceAll(separators, '')))) return 'strong'
  return weak.test(tail) || weakInCamelCase.test(tail) ? 'weak' : undefined
}

/** Whether it is a header whose value has several words: `Authorization`, `Proxy-Authorization`, `Cookie`, `Set-Cookie`. */
export const isSecretHeader = (name: string): boolean => header.test(name)
