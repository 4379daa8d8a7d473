import classes from './subscriptions.module.css'

interface Bar {
  readonly delivered: number
  readonly failed: number
}

interface SparklineProps {
  /** The oldest first. */
  readonly bars: readonly Bar[]
  /** What it shows, in words with numbers. */
  readonly label: string
}

const width = 4
const height = 20

/** How many arrived and failed in each hour, as bars of one scale; failures stand on top. */
export const Sparkline = ({ bars, label }: SparklineProps) => {
  const most = Math.max(1, ...bars.map(({ delivered, failed }) => delivered + failed))
  const size = (count: number): number => (count === 0 ? 0 : Math.max(2, (count / most) * height))
  return (
    <svg
      className={classes['sparkline']}
      role="img"
      aria-label={label}
      viewBox={`0 0 ${bars.length * width} ${height + 1}`}
    >
      <title>{label}</title>
      <path className={classes['base']} d={`M0 ${height + 0.5}H${bars.length * width}`} />
      {bars.map(({ delivered, failed }, index) => {
        const bad = Math.min(size(failed), height)
        const good = Math.min(size(delivered), height - bad)
        return (
          <g key={index} transform={`translate(${index * width} 0)`}>
            {good > 0 && <rect className={classes['good']} y={height - good} width={width - 1} height={good} />}
            {bad > 0 && <rect className={classes['bad']} y={height - good - bad} width={width - 1} height={bad} />}
          </g>
        )
      })}
    </svg>
  )
}
