import { seededRandom } from '#platform/seeded-random.ts'

/** How endpoints answer. */
export type Temper = 'ordinary' | 'slow' | 'hangs'

export interface EndpointWorldOptions {
  readonly endpoints: number
  /** Of all endpoints. The rest are ordinary. */
  readonly slow: number
  readonly hangs: number
}

/** Endpoints, who gets the next event, and how long each takes to answer. */
export interface EndpointWorld {
  temper(endpoint: number): Temper
  /** The endpoint of the next event, by Zipf's law: the one at place n gets a share in proportion to 1/n. */
  next(): number
  /** Milliseconds until an answer, or the time limit, which is no answer. */
  latencyMs(endpoint: number): number
  readonly random: () => number
}

/** As of a delivery. */
export const timeLimitMs = 30_000
/** Medians of ordinary endpoints lie around the first, with a tenth of them above 300 ms; those of slow ones around the second. */
const ordinaryMs = 80
const slowMs = 5_000
const spreadOfEndpoints = 1
const spreadOfAnswers = 0.5

export const makeEndpointWorld = ({ endpoints, slow, hangs }: EndpointWorldOptions): EndpointWorld => {
  const random = seededRandom(1)
  /** Box and Muller's normal distribution. */
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const tempers = new Uint8Array(endpoints)
  const medians = new Float32Array(endpoints)
  for (let endpoint = 0; endpoint < endpoints; endpoint++) {
    const place = random()
    if (place < hangs) tempers[endpoint] = 2
    else if (place < hangs + slow) tempers[endpoint] = 1
    medians[endpoint] = (tempers[endpoint] === 1 ? slowMs : ordinaryMs) * Math.exp(spreadOfEndpoints * normal())
  }
  const names = ['ordinary', 'slow', 'hangs'] as const
  const temper = (endpoint: number): Temper => names[tempers[endpoint] ?? 0] ?? 'ordinary'
  return {
    temper,
    random,
    // The sum of 1/n up to N is about ln N, so the place of a share is a power of N.
    next: () => Math.min(endpoints - 1, Math.floor(endpoints ** random()) - 1),
    latencyMs: (endpoint) =>
      temper(endpoint) === 'hangs'
        ? timeLimitMs
        : Math.min(timeLimitMs, (medians[endpoint] ?? ordinaryMs) * Math.exp(spreadOfAnswers * normal())),
  }
}
