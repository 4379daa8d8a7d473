/** One measured figure beside the limit of the same run. */
export interface Figure {
  readonly name: string
  readonly unit: string
  readonly value: number
  /** What the figure is compared with, measured in the same run. */
  readonly limit?: number
  /** What the design asks for, in words. */
  readonly reach: string
}

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** Measures the same figures three times, one run after the other. @returns the median of each. */
export const threeRuns = async (measure: () => Promise<readonly Figure[]>): Promise<Figure[]> => {
  const [first, ...others] = [await measure(), await measure(), await measure()]
  return first.map((figure, index) => {
    const all = [figure, ...others.flatMap((run) => run[index] ?? [])].toSorted((a, b) => a.value - b.value)
    return all[1] ?? figure
  })
}

/** The value below which `share` (0–1) of the values lie. */
export const percentile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** Prints figures as a table, then as one line of JSON for machines. */
export const report = (figures: readonly Figure[]): void => {
  const rows = figures.map(({ name, unit, value, limit, reach }) => ({
    figure: name,
    value: `${round(value)} ${unit}`,
    limit: limit === undefined ? '' : `${round(limit)} ${unit}`,
    ratio: limit === undefined ? '' : (value / limit).toFixed(2),
    reach,
  }))
  console.table(rows)
  console.log(JSON.stringify(figures))
}

const round = (value: number): string => (value >= 100 ? String(Math.round(value)) : value.toFixed(2))
