export interface ByteBudgetOptions {
  /** Bytes that may be taken at once. */
  readonly total: number
  /** Bytes of them that one sharer may have. */
  readonly share: number
  /** How long somebody waits for room. */
  readonly waitMs: number
}

interface Waiting {
  readonly sharer: number
  readonly bytes: number
  readonly answer: (hasRoom: boolean) => void
}

/**
 * Bounds the memory that large bodies take at once. Who comes first is served first, but one who has its share waits
 * without holding up the others: a receiver that hangs keeps its own bodies in memory, not everybody's out of it.
 */
export class ByteBudget {
  readonly #options: ByteBudgetOptions
  readonly #taken = new Map<number, number>()
  readonly #waiting: Waiting[] = []
  #free: number

  constructor(options: ByteBudgetOptions) {
    this.#options = options
    this.#free = options.total
  }

  /** @returns whether there was room in time; then every byte needs to be given back. What is larger than a share counts as one. */
  take(sharer: number, bytes: number): Promise<boolean> {
    return new Promise((resolve) => {
      const waiting: Waiting = {
        sharer,
        bytes: this.#counted(bytes),
        answer: (hasRoom) => {
          clearTimeout(timer)
          resolve(hasRoom)
        },
      }
      const timer = setTimeout(() => this.#giveUp(waiting), this.#options.waitMs)
      this.#waiting.push(waiting)
      this.#serve()
    })
  }

  give(sharer: number, bytes: number): void {
    const counted = this.#counted(bytes)
    const left = this.#takenBy(sharer) - counted
    this.#free += counted
    if (left === 0) this.#taken.delete(sharer)
    else this.#taken.set(sharer, left)
    this.#serve()
  }

  #counted(bytes: number): number {
    return Math.min(bytes, this.#options.share)
  }

  #takenBy(sharer: number): number {
    return this.#taken.get(sharer) ?? 0
  }

  #giveUp(waiting: Waiting): void {
    this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
    waiting.answer(false)
    // What comes behind it may need less.
    this.#serve()
  }

  #serve(): void {
    for (let place = 0; place < this.#waiting.length;) {
      const waiting = this.#waiting[place]
      if (waiting === undefined || waiting.bytes > this.#free) return
      const taken = this.#takenBy(waiting.sharer) + waiting.bytes
      if (taken > this.#options.share) {
        place += 1
        continue
      }
      this.#waiting.splice(place, 1)
      this.#taken.set(waiting.sharer, taken)
      this.#free -= waiting.bytes
      waiting.answer(true)
    }
  }
}
