/** Characters of a text that lists show: a page can have 1,000 reports, and each of their three texts 64 KiB. */
export const shownInLists = 4_096

/** A text as lists show it, given its beginning and how many bytes are missing behind that. */
export const shortened = (start: string | null, missing: number | null): string | null =>
  start === null || missing === null || missing === 0
    ? start
    : `${start}\n[cut in lists: the report itself has ${missing} bytes more]`

const mark = /\n\[cut in lists: the report itself has \d+ bytes more\]$/

/** Whether a text was read from a list, so that whoever sends it back does not mean to change what it was cut from. */
export const isShortened = (text: unknown): boolean => typeof text === 'string' && mark.test(text)
