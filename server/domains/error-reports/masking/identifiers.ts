const part = String.raw`(?:\p{Lu}{0,12}\p{Ll}{1,20}(?:\p{Lu}{1,4}\p{Ll}{2,20}){0,6}\p{Lu}{0,3}|\p{Lu}{1,12})`
const namesWith = (digits: number): RegExp =>
  new RegExp(String.raw`^${part}\d{0,${digits}}(?:[-_.:/ ]${part}\d{0,${digits}}){0,9}$`, 'u')
const patterns = { 0: namesWith(0), 2: namesWith(2) }

/** Whether a text reads like the name of something, and not like a key. @param digits how many may end each of its words. */
export const isName = (text: string, digits: 0 | 2): boolean => patterns[digits].test(text)
