import { useDebouncedValue } from '@mantine/hooks'
import { useQueries, type UseQueryOptions } from '@tanstack/react-query'
import type { ApiError } from '#api/api-error.ts'
import { useMe, type Me } from '#api/session.ts'

/** Something that useQuery asks for, whatever its answer was before it became this. */
export type Asking<T> = UseQueryOptions<unknown, ApiError, T>

/** A record that a filter can name. */
export interface NamedRecord {
  readonly id: string
  readonly name: string
}

/** The records that a filter names, and how the API is asked for them. */
export interface Records {
  /** What to ask for the first that match words, the best first; for no words, for the first of all. */
  readonly find: (words: string) => readonly Asking<readonly NamedRecord[]>[]
  /** What the one with an id is called. */
  readonly name: (id: string) => Asking<string>
  /** Who may ask; the others type an id. */
  readonly may?: (me: Me) => boolean
}

const typingMs = 200

/** What can be chosen by what was typed. The id itself always can, first, whether it is found or not. */
export const useRecords = ({ find, may }: Records, typed: string) => {
  const me = useMe()
  const words = typed.trim()
  const [asked] = useDebouncedValue(words, typingMs)
  const enabled = may === undefined || may(me)
  const answers = useQueries({ queries: find(asked).map((query) => ({ ...query, enabled })) })
  // What was found for other words is not offered: Enter takes the first.
  const isSettled =
    words === asked && answers.every(({ isLoading, isPlaceholderData }) => !isLoading && !isPlaceholderData)
  const found = isSettled ? answers.flatMap(({ data = [] }) => data) : []
  return { records: offered(found, words), isSettled, isAsked: enabled }
}

const most = 20

/** The records that were found, each once, the one whose id was typed before all others. */
export const offered = (found: readonly NamedRecord[], words: string): readonly NamedRecord[] => {
  const once = found.filter(({ id }, index) => found.findIndex((one) => one.id === id) === index)
  const all = once.slice(0, most)
  if (!/^[1-9]\d*$/.test(words)) return all
  const typed = once.find(({ id }) => id === words) ?? { id: words, name: `#${words}` }
  return [typed, ...all.filter(({ id }) => id !== words)]
}
