import { Outlet } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import classes from './drawer.module.css'

/** A list with room beside it for the drawer of the row that is open. */
export const ListAndDrawer = ({ children }: { readonly children: ReactNode }) => (
  <div className={classes['split']}>
    <div style={{ minWidth: 0 }}>{children}</div>
    <Outlet />
  </div>
)
