import type { Entry } from './audit-list.ts'

/** A field of a write: what was there, where that is known, and what was sent. */
export interface Change {
  readonly name: string
  readonly before: string | undefined
  readonly after: string | undefined
  /** Whether it is known that the same was there before. */
  readonly isSame: boolean
}

/** What an entry changed, field by field. */
export const changesOf = ({ before, after }: Pick<Entry, 'before' | 'after'>): readonly Change[] => {
  const [old, fresh] = [fieldsOf(before), fieldsOf(after)]
  const names = new Set([...old.keys(), ...fresh.keys()])
  return [...names].map((name) => {
    const [was, is] = [old.get(name), fresh.get(name)]
    return { name, before: was, after: is, isSame: was !== undefined && was === is }
  })
}

/** What an entry sent in one line: the field and its value where it is one, else the names. */
export const briefOf = (entry: Pick<Entry, 'before' | 'after'>): string => {
  const changes = changesOf(entry)
  const [only] = changes
  if (only === undefined || changes.length > 1) return changes.map(({ name }) => name).join(', ')
  return `${only.name}: ${only.after ?? '–'}`
}

/** Whether there could have been something before: what is made or begun by a POST was not there. */
export const couldBeBefore = ({ surface }: Pick<Entry, 'surface'>): boolean => !surface.startsWith('POST ')

const fieldsOf = (record: unknown): ReadonlyMap<string, string> =>
  new Map(Object.entries(record ?? {}).map(([name, value]) => [name, textOf(value)]))

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 1))
