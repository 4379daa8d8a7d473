import type { CSSProperties } from 'react'
import { formatTick } from '#ui/texts/format.ts'
import classes from '../projects.module.css'
import { termOf, type Expiring } from './expiring.ts'

const dayMs = 86_400_000
const shownBefore = 30
const shownAfter = 365
const quarters = [0, 91, 182, 273]

/** Where a moment stands on the axis; what is beyond its ends stands there. */
const placeOf = (at: number, now: Date): CSSProperties => {
  const days = (at - now.getTime()) / dayMs
  const share = (Math.min(Math.max(days, -shownBefore), shownAfter) + shownBefore) / (shownBefore + shownAfter)
  return { insetInlineStart: `${share * 100}%` }
}

/** The last month and the next year as a line with what ends on it; the list below says the same in words. */
export const ExpiryAxis = ({ all, now }: { readonly all: readonly Expiring[]; readonly now: Date }) => (
  <div className={classes['axis']} aria-hidden="true">
    {quarters.map((days) => {
      const at = now.getTime() + days * dayMs
      return (
        <span key={days} className={classes['tick']} style={placeOf(at, now)}>
          {formatTick(new Date(at), 90 * dayMs)}
        </span>
      )
    })}
    {all.map(({ kind, environment, bundle, at }) => (
      <span
        key={`${kind} ${environment} ${bundle}`}
        className={classes['end']}
        data-outcome={termOf(at, now).outcome}
        style={placeOf(Date.parse(at), now)}
      />
    ))}
  </div>
)
