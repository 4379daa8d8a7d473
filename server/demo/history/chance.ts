import { seededRandom } from '#platform/seeded-random.ts'

/** Decisions that are the same each time a demo is made. */
export const makeChance = (seed: number) => {
  const random = seededRandom(seed)
  return {
    random,
    /** Whether something happens that happens with this probability. */
    isOneOf: (probability: number): boolean => random() < probability,
    between: (low: number, high: number): number => low + random() * (high - low),
    whole: (low: number, high: number): number => low + Math.floor(random() * (high - low + 1)),
    /** One of some; those in front more often with a `skew` above 1. */
    pick: <T>(from: readonly T[], skew = 1): T => {
      const found = from[Math.floor(random() ** skew * from.length)]
      if (found === undefined) throw new Error('There is nothing to pick from.')
      return found
    },
  }
}

export type Chance = ReturnType<typeof makeChance>
