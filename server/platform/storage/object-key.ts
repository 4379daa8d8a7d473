/** No `/`, and no `.` first: neither a way out of a folder, nor the name of a file that is still being written. */
const form = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}$/

/**
 * The key of a file, as it is.
 * @throws Error when it is none: keys are made by the server, so that is a bug.
 */
export const checkedKey = (key: string): string => {
  if (form.test(key)) return key
  throw new Error(`${JSON.stringify(key)} cannot be the key of a file.`)
}
