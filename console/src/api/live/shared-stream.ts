import { ApiError } from '../api-error.ts'
import { readStream, type StreamMessage } from './read-stream.ts'

/** Whether changes arrive as they happen, and since when that is so (milliseconds). */
export interface LiveState {
  readonly isLive: boolean
  /** Whether the server answers at all; it may refuse, as when there are too many streams. */
  readonly isAnswered: boolean
  readonly since: number
}

/** What the stream says: a topic with its data, `reset` when something may have been missed, `ready` for a stream without a past. */
export interface Said {
  readonly event: string
  readonly data: string
}

/** What tabs tell each other. */
type Told =
  | { readonly kind: 'said'; readonly said: Said | undefined; readonly id: string | undefined }
  | { readonly kind: 'state'; readonly state: LiveState; readonly lastId: string | undefined }
  | { readonly kind: 'refused' | 'join' | 'wake' }

interface Listener {
  readonly onSaid: (said: Said) => void
  readonly onState: (state: LiveState) => void
  /** The server does not know the session any more. */
  readonly onRefused: () => void
}

const name = 'waybill-live'
const url = '/api/v1/stream/'
const firstDelayMs = 1_000
const longestDelayMs = 30_000

/**
 * The one stream of this browser. Web Locks elect the tab that reads it; that one tells the others. When it closes, another
 * goes on after the last message that was told. Where there are no Web Locks (a page without TLS that is not of this
 * machine) every tab reads for itself.
 */
export class SharedStream {
  readonly #listener: Listener
  readonly #channel = new BroadcastChannel(name)
  readonly #ended = new AbortController()
  #lastId: string | undefined
  #state: LiveState = { isLive: false, isAnswered: true, since: Date.now() }
  #isReader = false
  /** Ends the present connection, or the wait for the next. */
  #next = new AbortController()

  constructor(listener: Listener) {
    this.#listener = listener
    const { signal } = this.#ended
    this.#channel.addEventListener('message', ({ data }: MessageEvent<Told>) => this.#hear(data), { signal })
    // A network that went or came: what is open may be dead, and what failed may work.
    for (const event of ['online', 'offline'])
      window.addEventListener(event, () => this.#isReader && this.#next.abort(), { signal })
    this.#tell({ kind: 'join' })
    const read = (): Promise<void> => this.#read()
    const reading = 'locks' in navigator ? navigator.locks.request(name, { signal }, read) : read()
    reading.catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
  }

  /** Connects at once, instead of later. */
  wake(): void {
    if (this.#isReader) this.#next.abort()
    else this.#tell({ kind: 'wake' })
  }

  end(): void {
    this.#ended.abort()
    this.#channel.close()
  }

  async #read(): Promise<void> {
    this.#isReader = true
    for (let failures = 0; !this.#ended.signal.aborted; failures += 1) {
      this.#next = new AbortController()
      const { signal } = this.#next
      const { wasLive, isAnswered } = await this.#readOnce(AbortSignal.any([this.#ended.signal, signal]))
      if (this.#ended.signal.aborted) return
      if (wasLive) failures = 0
      this.#turn(false, isAnswered)
      const delayMs = Math.min(longestDelayMs, firstDelayMs * 2 ** failures) * (0.75 + Math.random() / 2)
      await waited(delayMs, AbortSignal.any([this.#ended.signal, signal]))
    }
  }

  async #readOnce(signal: AbortSignal): Promise<{ wasLive: boolean; isAnswered: boolean }> {
    const from = this.#lastId
    let wasLive = false
    try {
      await readStream(
        from === undefined ? url : `${url}?last_event_id=${encodeURIComponent(from)}`,
        signal,
        (message) => {
          wasLive = true
          this.#turn(true, true)
          this.#tellAndHear({ kind: 'said', id: message.id, said: newsOf(message, from) })
        },
      )
    } catch (error) {
      // Any other failure is the network's or the server's: it is tried again, and the state says so meanwhile.
      if (!(error instanceof ApiError)) return { wasLive, isAnswered: false }
      if (error.status === 401) this.#tellAndHear({ kind: 'refused' })
    }
    return { wasLive, isAnswered: true }
  }

  #turn(isLive: boolean, isAnswered: boolean): void {
    const before = this.#state
    if (before.isLive === isLive && before.isAnswered === isAnswered) return
    const since = before.isLive === isLive ? before.since : Date.now()
    this.#tellAndHear({ kind: 'state', state: { isLive, isAnswered, since }, lastId: this.#lastId })
  }

  #tellAndHear(told: Told): void {
    this.#tell(told)
    this.#hear(told)
  }

  #tell(told: Told): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A channel, which has no other origins.
    this.#channel.postMessage(told)
  }

  #hear(told: Told): void {
    switch (told.kind) {
      case 'said':
        this.#lastId = told.id ?? this.#lastId
        if (told.said !== undefined) this.#listener.onSaid(told.said)
        return
      case 'state':
        this.#lastId = told.lastId ?? this.#lastId
        this.#state = told.state
        this.#listener.onState(told.state)
        return
      case 'refused':
        this.#listener.onRefused()
        return
      case 'join':
        if (this.#isReader) this.#tell({ kind: 'state', state: this.#state, lastId: this.#lastId })
        return
      case 'wake':
        if (this.#isReader) this.#next.abort()
    }
  }
}

/** Comments only carry the id; and after what was missed everything is known, so `ready` is news only to a stream without a past. */
const newsOf = ({ event, data }: StreamMessage, from: string | undefined): Said | undefined =>
  data === '' || (event === 'ready' && from !== undefined) ? undefined : { event, data }

const waited = async (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
