import type { ComponentProps } from 'react'
import { Action } from './action.tsx'
import { useGo } from './go.ts'

interface GoActionProps extends Omit<ComponentProps<typeof Action>, 'onClick'> {
  /** A path of the console, with its query if it has one. */
  readonly to: string
}

/** A button that goes to a page. */
export const GoAction = ({ to, ...rest }: GoActionProps) => {
  const go = useGo()
  return <Action {...rest} onClick={() => go.push(to)} />
}
