import i18next from 'i18next'

const decimalSign = (language: string): string =>
  new Intl.NumberFormat(language).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.'

/** Spaces of all kinds, which some programs group digits by, and what stands beside an amount. */
const ignored = /[\s\u00A0\u202F'’]/g

/**
 * Reads a number that somebody typed or pasted, such as `1.234,50` in Turkish: as the language writes it, and where that
 * makes no sense as the other one does, because sheets are sent around.
 * @returns a decimal text as the API takes it; undefined when it is no number that is not negative.
 */
export const parseDecimal = (text: string, language = i18next.language): string | undefined => {
  const given = text.replace(ignored, '')
  const decimal = decimalSign(language)
  const other = decimal === ',' ? '.' : ','
  return read(given, decimal, other) ?? read(given, other, decimal)
}

const read = (text: string, decimal: string, group: string): string | undefined => {
  const number = new RegExp(`^(\\d{1,3}(?:[${group}]\\d{3})+|\\d*)(?:[${decimal}](\\d*))?$`)
  const [all = '', whole = '', fraction = ''] = number.exec(text) ?? []
  if (!/\d/.test(all)) return undefined
  return `${whole === '' ? '0' : whole.replaceAll(group, '')}${fraction === '' ? '' : `.${fraction}`}`
}

/** A decimal text of the API as somebody edits it: with the decimal sign of the language, without groups. */
export const editDecimal = (text: string, language = i18next.language): string =>
  text.replace('.', decimalSign(language))
