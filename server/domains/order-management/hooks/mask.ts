/** What answers show in place of a secret. Sent back, it keeps the stored value (contract, section 11). */
export const mask = '********'

export const masked = (secret: string | null): string | null => (secret === null ? null : mask)
