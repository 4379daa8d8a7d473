/** What answers show in place of a secret. Sent back, it keeps the stored value (contract, section 11). */
export const mask = '********'

/** Names of headers that carry credentials, as far as a name shows. */
const credentialHeaders = /auth|cookie|token|key|secret|passw|pwd|credential|session|signature/i

export const isCredentialHeader = (name: string): boolean => credentialHeaders.test(name)

/** Headers as answers show them. */
export const maskedHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, isCredentialHeader(name) ? mask : value]))

export const masked = (secret: string | null): string | null => (secret === null ? null : mask)
