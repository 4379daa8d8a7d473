import { randomBytes } from 'node:crypto'

/** Ids of the project surface: 24 hexadecimal characters (document 1). Upper case names the same object. */
export const objectIdPattern = '^[0-9a-fA-F]{24}$'

const form = new RegExp(objectIdPattern)

/** The id as it is stored; undefined when the text is not one. */
export const parseObjectId = (text: string): string | undefined => (form.test(text) ? text.toLowerCase() : undefined)

/**
 * A new id: its second in the first eight digits, so that ids made later sort later, and 64 random bits.
 * @param now the second to put in front.
 */
export const newObjectId = (now: Date): string =>
  Math.floor(now.getTime() / 1_000)
    .toString(16)
    .padStart(8, '0') + randomBytes(8).toString('hex')

/** A 53-bit id in the form of this surface. */
export const toObjectId = (id: number): string => id.toString(16).padStart(24, '0')

/** The 53-bit id that an object id stands for; undefined when it stands for none. */
export const fromObjectId = (text: string): number | undefined => {
  const id = parseObjectId(text)
  const number = id === undefined ? Number.NaN : Number.parseInt(id, 16)
  return Number.isSafeInteger(number) && number > 0 ? number : undefined
}
