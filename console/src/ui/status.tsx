import type { ReactNode } from 'react'
import classes from './status.module.css'

/** What an outcome means to its reader: done, failed, under way, or nothing to say. */
export type Outcome = 'ok' | 'bad' | 'wait' | 'idle'

const shapes: Record<Outcome, string> = {
  ok: 'M3 6.5 5.2 8.7 9.3 3.8',
  bad: 'm3.5 3.5 5 5m0-5-5 5',
  wait: 'M6 2a4 4 0 1 1 0 8 4 4 0 0 1 0-8Zm0 1.8V6l1.6 1',
  idle: 'M4.5 3.5v5m3-5v5',
}

interface StatusProps {
  readonly outcome: Outcome
  readonly children: ReactNode
}

/** The shape of an outcome alone, for who names it beside. */
export const OutcomeMark = ({ outcome, className }: { readonly outcome: Outcome; readonly className?: string }) => (
  <svg viewBox="0 0 12 12" aria-hidden="true" className={className} data-outcome={outcome}>
    <path d={shapes[outcome]} />
  </svg>
)

/** An outcome as shape, word and colour, so that none of them is needed alone. */
export const Status = ({ outcome, children }: StatusProps) => (
  <span className={classes['status']} data-outcome={outcome}>
    <OutcomeMark outcome={outcome} />
    {children}
  </span>
)
