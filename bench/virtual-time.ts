interface Timer {
  readonly at: number
  readonly run: () => void
  isOver: boolean
}

/** Time that jumps from one timer to the next: `setTimeout` and `performance.now` of this process while it is installed. */
export class VirtualTime {
  #now = 0
  /** A binary heap, the next one first. */
  readonly #heap: Timer[] = []

  get now(): number {
    return this.#now
  }

  /** Calls back after so many milliseconds. */
  after(ms: number, run: () => void): Timer {
    const timer = { at: this.#now + Math.max(0, ms), run, isOver: false }
    const heap = this.#heap
    let place = heap.push(timer) - 1
    while (place > 0) {
      const above = (place - 1) >> 1
      const parent = heap[above]
      if (parent === undefined || parent.at <= timer.at) break
      heap[place] = parent
      place = above
    }
    heap[place] = timer
    return timer
  }

  /** Runs all that is due until then. */
  runUntil(end: number): void {
    for (let next = this.#heap[0]; next !== undefined && next.at <= end; next = this.#heap[0]) {
      this.#removeFirst()
      this.#now = next.at
      if (!next.isOver) next.run()
    }
    this.#now = end
  }

  /** Does `work` with this time instead of the machine's. */
  during<T>(work: () => T): T {
    const real = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout }
    const virtual = {
      setTimeout: (run: () => void, ms = 0) => this.after(ms, run),
      clearTimeout: (timer?: Timer) => {
        if (timer !== undefined) timer.isOver = true
      },
    }
    Object.assign(globalThis, virtual)
    Object.defineProperty(performance, 'now', { value: () => this.#now, configurable: true })
    try {
      return work()
    } finally {
      Object.assign(globalThis, real)
      Reflect.deleteProperty(performance, 'now')
    }
  }

  #removeFirst(): void {
    const heap = this.#heap
    const last = heap.pop()
    if (last === undefined || heap.length === 0) return
    let place = 0
    for (;;) {
      const [left, right] = [heap[2 * place + 1], heap[2 * place + 2]]
      if (left === undefined) break
      const [child, below] =
        right !== undefined && right.at < left.at ? [right, 2 * place + 2] : ([left, 2 * place + 1] as const)
      if (child.at >= last.at) break
      heap[place] = child
      place = below
    }
    heap[place] = last
  }
}
