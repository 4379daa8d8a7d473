import type { ReactNode } from 'react'
import { PageTitle } from './page-title.tsx'
import { ShowAsRequest, type ShownRequest } from './show-as-request.tsx'
import classes from './page.module.css'

interface PageProps {
  /** The first line: a sentence with a verb, or what and how many. */
  readonly title: string
  /** The second line: what it is about. */
  readonly about?: ReactNode
  /** The third: what one can do; one of them may be the main action. */
  readonly actions?: ReactNode
  /** What the page shows, as a request of the API. */
  readonly request?: ShownRequest
  readonly children: ReactNode
}

/** A page of the console: title, what it is about, what one can do, and below everything that proves it. */
export const Page = ({ title, about, actions, request, children }: PageProps) => (
  <div className={classes['page']}>
    <header className={classes['head']}>
      <div className="grow">
        <PageTitle>{title}</PageTitle>
        {about !== undefined && <p className="muted">{about}</p>}
      </div>
      <div className={`flex wrap ${classes['actions']}`}>
        {request !== undefined && <ShowAsRequest {...request} />}
        {actions}
      </div>
    </header>
    {children}
  </div>
)
