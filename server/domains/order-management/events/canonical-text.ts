/** JSON with the fields of every object in the order of their names (RFC 8785): the same text for the same content. */
export const canonicalText = (value: unknown): string => {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`
  const fields = value as Readonly<Record<string, unknown>>
  const names = Object.keys(fields).toSorted()
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalText(fields[name])}`).join(',')}}`
}
