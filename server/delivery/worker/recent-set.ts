/** Ids that were named within the last one to two periods: old ones leave without a timer for each. */
export class RecentSet {
  readonly #periodMs: number
  #current = new Set<number>()
  #previous = new Set<number>()
  #since = -Infinity

  constructor(periodMs: number) {
    this.#periodMs = periodMs
  }

  add(id: number): void {
    this.#turn()
    this.#current.add(id)
  }

  /** Whether two different ones or more were named. */
  hasSeveral(): boolean {
    this.#turn()
    if (this.#current.size > 1 || this.#previous.size > 1) return true
    return this.#current.union(this.#previous).size > 1
  }

  #turn(): void {
    const now = performance.now()
    if (now - this.#since < this.#periodMs) return
    this.#previous = now - this.#since < 2 * this.#periodMs ? this.#current : new Set()
    this.#current = new Set()
    this.#since = now
  }
}
