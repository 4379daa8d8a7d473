import { useState } from 'react'
import { useMe } from '#api/session.ts'

/**
 * What somebody is typing, kept in this tab until it has been sent: a page that is loaded again, or a network that goes,
 * loses nothing. Whoever logs in here after them does not find it.
 */
export const useKept = (name: string): readonly [string, (text: string) => void, () => void] => {
  const key = `waybill.shop.${useMe().id}.${name}`
  const [text, setText] = useState(() => sessionStorage.getItem(key) ?? '')
  const set = (next: string): void => {
    setText(next)
    if (next === '') sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, next)
  }
  return [text, set, () => set('')]
}
