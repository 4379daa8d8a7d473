import { dayMs, hourMs, type Clock } from '#platform/clock.ts'

/** A clock that can be set to an earlier time, so that what is done through the API is done then. */
export interface TravelClock extends Clock {
  /** Goes on from this moment; undefined: it is now again. */
  travelTo(moment?: Date): void
}

export const makeTravelClock = (clock: Clock): TravelClock => {
  let behindMs = 0
  return {
    now: () => new Date(clock.now().getTime() - behindMs),
    travelTo(moment) {
      behindMs = moment === undefined ? 0 : clock.now().getTime() - moment.getTime()
    },
  }
}

/** How many days the history of the demo goes back. */
export const historyDays = 30

/** The time zone in which the company works: Türkiye has had UTC+3 all year since 2016. */
const zoneMs = 3 * hourMs

/** Shares of a working day's events by hour, local: mornings are busy, lunch is not, nights are for machines. */
const hours = [1, 1, 1, 1, 1, 2, 4, 8, 16, 24, 26, 22, 14, 20, 26, 24, 20, 14, 8, 5, 4, 3, 2, 1] as const
const weekend = [0.25, 1, 1, 1, 1, 1, 0.5] as const
const dayWeight = (day: Date): number => weekend[day.getUTCDay()] ?? 1

/** Picks moments between two times, by the rhythm of the company: more by day than at night, and few on weekends. */
export const makeRhythm = (from: Date, until: Date) => {
  const slots: { readonly begins: number; readonly upTo: number }[] = []
  let sum = 0
  for (let begins = from.getTime(); begins < until.getTime(); begins += hourMs) {
    const local = new Date(begins + zoneMs)
    sum += (hours[local.getUTCHours()] ?? 1) * dayWeight(local)
    slots.push({ begins, upTo: sum })
  }
  return {
    /** @param share and within: numbers in [0, 1). */
    at(share: number, within: number): Date {
      const wanted = share * sum
      let [low, high] = [0, slots.length - 1]
      while (low < high) {
        const middle = (low + high) >> 1
        if ((slots[middle]?.upTo ?? 0) > wanted) high = middle
        else low = middle + 1
      }
      const begins = slots[low]?.begins ?? from.getTime()
      return new Date(Math.min(begins + Math.floor(within * hourMs), until.getTime()))
    },
  }
}

/** A local hour, so many days before a moment. */
export const daysBefore = (now: Date, days: number, hour = 10, minute = 0): Date => {
  const midnight = Math.floor((now.getTime() + zoneMs) / dayMs) * dayMs - zoneMs
  return new Date(midnight - days * dayMs + hour * hourMs + minute * 60_000)
}
