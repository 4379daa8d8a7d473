/** A message of a broker that holds events. */
export interface SourceMessage {
  readonly body: Buffer
  /** The broker's id of the message, as its sender gave it. */
  readonly id: string | undefined
  /** The broker need not keep it any more. */
  acknowledge(): void
  /** Puts it where refused ones go, with the reason; resolves when the broker has confirmed that. */
  deadLetter(reason: string): Promise<void>
  /** Tells the broker that it is being worked on still. */
  touch(): void
}

/** A connection that takes messages, in their order. */
export interface OpenSource {
  /** Resolves with the next ones when there are some, and with none when the connection has ended. */
  next(): Promise<readonly SourceMessage[]>
  /** Whether further ones may come. */
  isOpen(): boolean
  /** Tells the broker that what has come and waits here is not forgotten. */
  touch(): void
  /** No further ones: `next` resolves with none. */
  stop(): void
  /** Ends the connection: what was not acknowledged goes back. */
  close(): Promise<void>
}

/** Messages of one transaction, and their bytes. */
const maxMessages = 100
const maxBytes = 4_194_304
/** Messages that may wait here for the database, for each source. */
export const maxUnacknowledged = 200
/** Names the header with the reason of a refusal. */
export const reasonHeader = 'x-waybill-reason'

/** Messages that have come and wait to be taken, the oldest first. */
export class Inbox {
  readonly #messages: SourceMessage[] = []
  #isClosed = false
  #wake = (): void => undefined

  push(message: SourceMessage): void {
    this.#messages.push(message)
    this.#wake()
  }

  get isOpen(): boolean {
    return !this.#isClosed
  }

  touch(): void {
    for (const message of this.#messages) message.touch()
  }

  close(): void {
    this.#isClosed = true
    this.#wake()
  }

  /** Resolves with as many as one transaction takes; with none when it is closed. */
  async take(): Promise<readonly SourceMessage[]> {
    while (this.#messages.length === 0 && !this.#isClosed)
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    // What was not acknowledged comes again over the next connection.
    if (this.#isClosed) return []
    let [count, bytes] = [0, 0]
    for (const { body } of this.#messages.slice(0, maxMessages)) {
      bytes += body.length
      if (count > 0 && bytes > maxBytes) break
      count += 1
    }
    return this.#messages.splice(0, count)
  }
}

/** A source of what comes into an inbox, but for its end. */
export const waysOf = (inbox: Inbox): Omit<OpenSource, 'close'> => ({
  next: () => inbox.take(),
  isOpen: () => inbox.isOpen,
  touch: () => inbox.touch(),
  stop: () => inbox.close(),
})
