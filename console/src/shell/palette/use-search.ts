import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { recordOf } from '#api/queries.ts'
import { useGo } from '#ui/go.ts'
import { toastFailed } from '#ui/toast.tsx'
import { useFoundOptions, useOwnOptions, type Option } from './options.ts'

const typingMs = 150

const searchFor = (q: string) => recordOf('/api/v1/search', { query: { q } })

/** What was typed, and what can be chosen by it. */
export const useSearch = (close: () => void) => {
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const text = typed.trim()
  const [asked] = useDebouncedValue(text, typingMs)
  const search = useQuery({ ...searchFor(asked), enabled: asked !== '', placeholderData: keepPreviousData })
  const isSettled = text === asked && !search.isFetching
  const own = useOwnOptions(text)
  const found = useFoundOptions(text === '' ? [] : (search.data ?? []))
  const options = [...own, ...found]
  const queries = useQueryClient()
  const go = useGo()
  const run = (option: Option | undefined): void => {
    if (option === undefined) return
    close()
    option.run()
  }
  /** Enter right after an id: goes there as soon as the answer is here. */
  const goToFirst = async (): Promise<void> => {
    const [first] = await queries.query(searchFor(text))
    if (first === undefined) return
    close()
    go.push(first.path)
  }
  const type = (next: string): void => {
    setTyped(next)
    setAt(0)
  }
  const choose = (): void => {
    if (text !== '' && own.length === 0 && !isSettled) goToFirst().catch(toastFailed)
    else run(options[at])
  }
  return { typed, text, type, at, point: setAt, options, run, choose, isSettled, error: search.error }
}
