/** What the arithmetic of docs/scaling.md begins with: an event with one delivery, raised in a request of its own. */
export interface DeliveryCost {
  /** Milliseconds of processor time. */
  readonly serverMs: number
  readonly databaseMs: number
  readonly walBytes: number
  readonly diskBytes: number
}

/** Share of a core that is planned with: the rest is for peaks, and for what a failed machine leaves to the others. */
const plannedShare = 0.6
const secondsADay = 86_400
/** Of events, without a setting. Attempts go after 30. */
const keptDays = 90

/** What so many deliveries a second need, as the page shows it. */
export const needsOf = (perSecond: number, cost: DeliveryCost): readonly string[] => {
  const cores = (ms: number): string => atLeastOne((perSecond * ms) / 1_000 / plannedShare)
  const walMegabytes = (perSecond * cost.walBytes) / 1_000_000
  const dailyGigabytes = (perSecond * secondsADay * cost.diskBytes) / 1_000_000_000
  return [
    perSecond.toLocaleString('en'),
    cores(cost.serverMs),
    cores(cost.databaseMs),
    `${rounded(walMegabytes)} MB/s`,
    `${rounded(dailyGigabytes)} GB`,
    `${rounded((dailyGigabytes * keptDays) / 1_000)} TB`,
  ]
}

const atLeastOne = (cores: number): string => String(Math.max(1, Math.ceil(cores)))
const rounded = (value: number): string => Number(value.toPrecision(2)).toLocaleString('en', { useGrouping: true })
