import classes from './progress.module.css'

interface ProgressProps {
  /** What it is the progress of. */
  readonly label: string
  readonly value: number
  /** undefined: nobody knows yet how much it will be. */
  readonly max: number | undefined
  readonly outcome?: 'ok' | 'bad' | 'wait'
}

/** How far something is, as a bar; the figures stand beside it. */
export const Progress = ({ label, value, max, outcome }: ProgressProps) => {
  const share = max === undefined || max === 0 ? 0 : Math.min(1, Math.max(0, value / max))
  return (
    <div
      className={classes['track']}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      {...(max !== undefined && { 'aria-valuemax': max, 'aria-valuenow': Math.min(value, max) })}
      data-outcome={outcome}
    >
      <div style={{ inlineSize: `${share * 100}%` }} />
    </div>
  )
}
