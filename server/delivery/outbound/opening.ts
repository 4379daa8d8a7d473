import { isIP } from 'node:net'

type Phase = 'dns' | 'connect' | 'tls'

/** How long the opening of one connection took, phase by phase, as far as it got. */
export class Opening {
  readonly #isTls: boolean
  readonly #took: Record<Phase, number | null> = { dns: null, connect: null, tls: null }
  #phase: Phase | undefined
  #since = performance.now()
  /** The address that is connected to; of several the last one that was tried. */
  address: string | null = null

  constructor(hostname: string, isTls: boolean) {
    this.#phase = isIP(hostname) === 0 ? 'dns' : 'connect'
    this.#isTls = isTls
  }

  /** What is being waited for; undefined when the opening has come to its end. */
  get phase(): Phase | undefined {
    return this.#phase
  }

  /** When the last phase ended, on the scale of `performance.now()`. */
  get endedAt(): number {
    return this.#since
  }

  /** Said once for each address of a name. */
  resolved(): void {
    if (this.#phase === 'dns') this.#next('connect')
  }

  connected(): void {
    this.#next(this.#isTls ? 'tls' : undefined)
  }

  /** It is ready, it failed, or nobody waits for it any more. */
  end(): void {
    this.#next(undefined)
  }

  /** Whole ms of a phase; null when it was not reached. */
  took(phase: Phase): number | null {
    return this.#took[phase]
  }

  #next(phase: Phase | undefined): void {
    if (this.#phase === undefined) return
    const now = performance.now()
    this.#took[this.#phase] = Math.round(now - this.#since)
    this.#phase = phase
    this.#since = now
  }
}
