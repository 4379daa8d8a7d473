import { randomBytes } from 'node:crypto'

/** One change of something, and who may know of it. */
export interface Change<Audience> {
  readonly item: object
  readonly audience: Audience
}

/** Changes of one topic that were found together. */
export interface Entry<Audience> {
  readonly topic: string
  readonly changes: readonly Change<Audience>[]
  /** There were more than are here. */
  readonly isCut: boolean
}

/** An entry in its place. */
export interface Placed<Audience> extends Entry<Audience> {
  readonly id: string
}

const idForm = /^(\w{12})-(\d{1,15})$/

/**
 * The last entries, by ids that say their place. Ids of another process, of a time before `forget`, and of what was
 * dropped for want of room lead nowhere.
 */
export class EventRing<Audience> {
  readonly #maxChanges: number
  #epoch = newEpoch()
  #last = 0
  #held = 0
  #entries: Placed<Audience>[] = []

  /** @param maxChanges how many changes are kept, of all entries. */
  constructor(maxChanges: number) {
    this.#maxChanges = maxChanges
  }

  /** The id of the last entry, or of the place before the first one. */
  get position(): string {
    return this.#idOf(this.#last)
  }

  add(entry: Entry<Audience>): Placed<Audience> {
    this.#last += 1
    const placed = { ...entry, id: this.position }
    this.#entries.push(placed)
    this.#held += entry.changes.length
    let dropped = 0
    while (this.#held > this.#maxChanges) this.#held -= this.#entries[dropped++]?.changes.length ?? 0
    if (dropped > 0) this.#entries = this.#entries.slice(dropped)
    return placed
  }

  /** What came after the entry of this id; undefined when that is not known. */
  after(id: string): readonly Placed<Audience>[] | undefined {
    const [, epoch, digits] = idForm.exec(id) ?? []
    const missed = this.#last - Number(digits)
    if (epoch !== this.#epoch || missed < 0 || missed > this.#entries.length) return undefined
    return this.#entries.slice(this.#entries.length - missed)
  }

  /** Makes every id that was given lead nowhere. */
  forget(): void {
    this.#epoch = newEpoch()
    this.#last = 0
    this.#held = 0
    this.#entries = []
  }

  #idOf(place: number): string {
    return `${this.#epoch}-${place}`
  }
}

const newEpoch = (): string => randomBytes(6).toString('hex')
