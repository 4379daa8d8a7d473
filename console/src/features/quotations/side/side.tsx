import { Assignee } from './assignee.tsx'
import { SinceSeen } from './since-seen.tsx'
import { SplitCard } from './split-card.tsx'
import { TermsCard } from './terms-card.tsx'
import { ValidUntil } from './valid-until.tsx'
import classes from '../workspace.module.css'

/** What the lines come to, until when, whose work it is, which orders it becomes, and what the buyer does not know yet. */
export const Side = () => (
  <aside className={classes['side']}>
    <TermsCard />
    <ValidUntil />
    <Assignee />
    <SplitCard />
    <SinceSeen />
  </aside>
)
