/** Letters that no accent can be taken off. */
const plain: Readonly<Record<string, string>> = { ı: 'i', ß: 'ss', ø: 'o', æ: 'ae', ł: 'l', đ: 'd' }

/** What a name could be called in addresses: small letters of a to z, digits and hyphens, at most 100. */
export const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[ıßøæłđ]/g, (letter) => plain[letter] ?? '')
    .normalize('NFD')
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 100)
    .replaceAll(/^-|-$/g, '')
