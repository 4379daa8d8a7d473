import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'
import type { AnyList } from './use-list.ts'

interface SearchFieldProps {
  readonly list: Pick<AnyList, 'search' | 'change'>
  /** The parameter that looks for words. */
  readonly name: string
  /** What is looked through. */
  readonly label: string
}

const typingMs = 250

/** Narrows a list by words while they are typed. */
export const SearchField = ({ list: { search, change }, name, label }: SearchFieldProps) => {
  const given = search[name]
  const asked = typeof given === 'string' ? given : ''
  const [typed, type] = useState(asked)
  const [last, setLast] = useState(asked)
  const ask = useDebouncedCallback((words: string) => {
    setLast(words.trim())
    change({ [name]: words.trim() === '' ? undefined : words.trim() }, { replace: true })
  }, typingMs)
  // By a badge, a view or the way back.
  if (asked !== last) {
    setLast(asked)
    type(asked)
  }
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      value={typed}
      maxLength={255}
      w="min(100%, 320px)"
      onChange={(event) => {
        type(event.currentTarget.value)
        ask(event.currentTarget.value)
      }}
    />
  )
}
