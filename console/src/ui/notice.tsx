import type { ReactNode } from 'react'
import classes from './notice.module.css'

interface NoticeProps {
  readonly outcome?: 'wait' | 'bad' | 'ok' | 'idle'
  readonly title: string
  readonly children?: ReactNode
}

/** Something that its reader has to know before they go on, with what they can do about it. */
export const Notice = ({ outcome = 'wait', title, children }: NoticeProps) => (
  <div className={classes['notice']} data-outcome={outcome}>
    <h2>{title}</h2>
    {children}
  </div>
)
