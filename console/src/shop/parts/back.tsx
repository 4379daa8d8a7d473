import type { ReactNode } from 'react'
import { Link } from '#ui/link.tsx'
import classes from './back.module.css'

/** The way to the page above. */
export const Back = ({ to, children }: { readonly to: string; readonly children: ReactNode }) => (
  <p className={classes['back']} data-screen-only>
    <Link to={to}>{children}</Link>
  </p>
)
