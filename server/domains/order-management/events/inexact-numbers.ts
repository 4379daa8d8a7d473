/**
 * Paths of the integers that do not fit in 53 bits. Reading them has rounded them already, and what is
 * delivered has to be what was sent.
 */
export const inexactNumbers = (value: unknown, path: string): string[] => {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value) ? [path] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, field]) => inexactNumbers(field, `${path}.${name}`))
}
