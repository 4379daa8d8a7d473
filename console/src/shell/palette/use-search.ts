import { useState } from 'react'
import { useOwnOptions, type Option } from './options.ts'

/** What was typed, and what can be chosen by it. */
export const useSearch = (close: () => void) => {
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const text = typed.trim()
  const options = useOwnOptions(text)
  const run = (option: Option | undefined): void => {
    if (option === undefined) return
    close()
    option.run()
  }
  const type = (next: string): void => {
    setTyped(next)
    setAt(0)
  }
  return { typed, text, type, at, point: setAt, options, run, choose: () => run(options[at]) }
}
