/** A line of a JSON value as it is shown: one key with its value, or with how much is folded in it. */
export interface JsonRow {
  /** Where it is, as a JSON Pointer; empty for the whole. */
  readonly path: string
  readonly depth: number
  /** The key in an object, the index in an array. */
  readonly name: string | number | undefined
  readonly value: unknown
  /** How many values are in it; undefined for texts, numbers and the like. */
  readonly size: number | undefined
  readonly isOpen: boolean
}

/** A text longer than this is shown by its beginning, and can be unfolded like an object. */
export const longText = 160

/** The rows of a value in which some are unfolded, each followed by what is in it. */
export const rowsOf = (value: unknown, open: ReadonlySet<string>): readonly JsonRow[] => {
  const rows: JsonRow[] = []
  const add = (name: JsonRow['name'], one: unknown, path: string, depth: number): void => {
    const size = sizeOf(one)
    const isOpen = open.has(path)
    rows.push({ path, depth, name, value: one, size, isOpen })
    if (!isOpen || size === undefined) return
    for (const [key, inner] of entriesOf(one)) add(key, inner, `${path}/${escaped(key)}`, depth + 1)
  }
  add(undefined, value, '', 0)
  return rows
}

/** What is unfolded at first: the whole, and what it has directly, as long as that is short. */
export const firstOpen = (value: unknown): ReadonlySet<string> => {
  const open = new Set([''])
  if (sizeOf(value) === undefined || (sizeOf(value) ?? 0) > 40) return open
  for (const [key, inner] of entriesOf(value)) {
    const size = sizeOf(inner)
    if (size !== undefined && size > 0 && size <= 20) open.add(`/${escaped(key)}`)
  }
  return open
}

export const isFoldable = ({ value, size }: JsonRow): boolean =>
  (size ?? 0) > 0 || (typeof value === 'string' && value.length > longText)

const sizeOf = (value: unknown): number | undefined => {
  if (Array.isArray(value)) return value.length
  return typeof value === 'object' && value !== null ? Object.keys(value).length : undefined
}

const entriesOf = (value: unknown): readonly (readonly [string | number, unknown])[] =>
  Array.isArray(value) ? value.map((inner, index) => [index, inner] as const) : Object.entries(value as object)

const escaped = (key: string | number): string => String(key).replaceAll('~', '~0').replaceAll('/', '~1')
