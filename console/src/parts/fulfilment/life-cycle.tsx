import { Time } from '#ui/time.tsx'
import type { Step } from './steps.ts'
import classes from './fulfilment.module.css'

interface LifeCycleProps {
  readonly label: string
  readonly steps: readonly Step[]
  readonly nameOf: (status: string) => string
}

/** How far something is: steps that were gone, the present one, and what is ahead. */
export const LifeCycle = ({ label, steps, nameOf }: LifeCycleProps) => (
  <ol className={classes['steps']} aria-label={label}>
    {steps.map(({ status, at, state }) => (
      <li key={status} data-state={state} aria-current={state === 'now' ? 'step' : undefined}>
        <span className={classes['stepName']}>{nameOf(status)}</span>
        {at !== undefined && (
          <span className="muted small">
            <Time at={at} />
          </span>
        )}
      </li>
    ))}
  </ol>
)
