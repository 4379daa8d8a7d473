import classes from './error-reports.module.css'

interface BarsProps {
  readonly values: readonly number[]
  /** What they say, for whoever does not see them. */
  readonly label: string
  /** What each says on hover. */
  readonly titles?: readonly string[]
  readonly width: number
  readonly height: number
}

/** One bar for each value, the oldest on the left; a thin line where there was nothing. */
export const Bars = ({ values, label, titles, width, height }: BarsProps) => {
  const most = Math.max(1, ...values)
  const step = width / Math.max(1, values.length)
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      className={classes['bars']}
      style={{ height }}
      role="img"
      aria-label={label}
    >
      {values.map((value, index) => {
        const high = value === 0 ? 1 : Math.max(2, (value / most) * height)
        return (
          <rect
            key={index}
            x={index * step}
            y={height - high}
            width={Math.max(1, step - 1)}
            height={high}
            data-none={value === 0 || undefined}
          >
            {titles !== undefined && <title>{titles[index]}</title>}
          </rect>
        )
      })}
    </svg>
  )
}
