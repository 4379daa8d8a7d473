/** `*`, or words of an event's name followed by `.*`: what any name that begins so is matched by (contract, section 4). */
const pattern = /^(?:[^.*]+\.)*\*$/

export const isPattern = (text: string): boolean => pattern.test(text)

/** Whether a name of an event is matched by a name or a pattern; `event_patterns` is the same in the database. */
export const matchesPattern = (type: string, nameOrPattern: string): boolean =>
  isPattern(nameOrPattern) ? type.startsWith(nameOrPattern.slice(0, -1)) : type === nameOrPattern
