import { failureOf, type Failure } from '../failure.ts'
import { noTiming, type SendResult } from '../send-result.ts'
import {
  BrokerRefused,
  OtherProtocol,
  SignInRefused,
  type Broker,
  type BrokerMessage,
  type Link,
  type Ways,
} from './broker.ts'
import type { BrokerUrl } from './broker-url.ts'

/** A message on its way, or one that waits for the connection. */
interface UnderWay {
  readonly startedAt: number
  readonly end: (failure: Failure) => void
}

export interface BrokerLinkDeps {
  readonly broker: Broker
  readonly url: BrokerUrl
  readonly ways: Omit<Ways, 'onClosed'>
  /** The address that was connected to. */
  readonly addressOf: () => string | null
  /** What it must not say to anybody: of the account. */
  readonly hide: (text: string) => string
  /** Called once, when nothing more can be sent with it. */
  readonly onEnd: () => void
}

/**
 * One connection to a broker with everything that is under way on it: opened at once, and never again. What is under way ends
 * with the broker's answer, with the end of the connection, or with its budget, which runs from here: look-up, connection and
 * sign-in are all part of it.
 */
export class BrokerLink {
  readonly #deps: BrokerLinkDeps
  readonly #opening: Promise<Link>
  /** In the order of their beginning. */
  readonly #underWay = new Set<UnderWay>()
  #link: Link | undefined
  #hasEnded = false
  #heardAt = 0
  #usedAt = performance.now()

  constructor(deps: BrokerLinkDeps) {
    this.#deps = deps
    this.#opening = deps.broker.open(deps.url, { ...deps.ways, onClosed: (error) => this.#end(this.#failureOf(error)) })
    void this.#open()
  }

  /** Since when nobody uses it, on the scale of `performance.now()`; Infinity while somebody does. */
  get idleSince(): number {
    return this.#underWay.size > 0 ? Infinity : this.#usedAt
  }

  /** Never rejects. @param mayStart asked when the connection is there. */
  send(url: BrokerUrl, message: BrokerMessage, mayStart: () => boolean): Promise<SendResult> {
    return new Promise((resolve) => {
      const startedAt = performance.now()
      let sentAt: number | undefined
      const end = ({ reason, detail }: Failure): void => {
        if (!this.#underWay.delete(entry)) return
        const now = performance.now()
        this.#usedAt = now
        resolve({
          reason,
          detail: this.#deps.hide(detail),
          status: null,
          headers: null,
          body: null,
          durationMs: Math.round(now - startedAt),
          timing: { ...noTiming, firstByteMs: sentAt === undefined ? null : Math.round(now - sentAt) },
          address: this.#deps.addressOf(),
        })
      }
      const entry: UnderWay = { startedAt, end }
      this.#underWay.add(entry)
      const publish = async (link: Link): Promise<Failure> => {
        if (!this.#underWay.has(entry)) return given
        if (!mayStart()) return notStarted
        sentAt = performance.now()
        const detail = await link.publish(url, message)
        this.#heardAt = performance.now()
        return { reason: 'accepted', detail }
      }
      const opened = this.#link === undefined ? this.#opening.then(publish) : publish(this.#link)
      opened.then(end, (error: unknown) => {
        if (error instanceof BrokerRefused) this.#heardAt = performance.now()
        end(this.#failureOf(error))
      })
    })
  }

  /** Ends what has taken longer than its budget, and the connection with it when nothing was heard over it meanwhile. */
  look(now: number, budgetMs: number): void {
    for (const { startedAt, end } of this.#underWay) {
      if (now - startedAt < budgetMs) return
      end({ reason: 'timeout', detail: this.#silence(budgetMs) })
      if (this.#heardAt < startedAt) this.#end(given)
    }
  }

  /** Ends what is under way because this process ends. */
  abort(): void {
    this.#endAll({ reason: 'aborted', detail: 'The server stopped during the attempt.' })
  }

  close(): void {
    this.#end(given)
  }

  async #open(): Promise<void> {
    try {
      this.#link = await this.#opening
      this.#heardAt = performance.now()
      if (this.#hasEnded) this.#link.close()
    } catch (error) {
      this.#end(this.#failureOf(error))
    }
  }

  #silence(budgetMs: number): string {
    const { broker } = this.#deps
    const within = `within ${budgetMs / 1_000} s.`
    if (this.#link === undefined) return `No connection to ${broker.name} was ready ${within}`
    const blocked = this.#link.blockedBecause?.()
    return `${broker.name} did not confirm the message ${within}${blocked === undefined ? '' : ` ${blocked}`}`
  }

  #failureOf(error: unknown): Failure {
    if (error instanceof BrokerRefused) return { reason: 'broker_refused', detail: error.message }
    if (error instanceof SignInRefused) return { reason: 'sign_in_failed', detail: `${error.message}.` }
    if (error instanceof OtherProtocol) return { reason: 'protocol_error', detail: `${error.message}.` }
    return failureOf(error instanceof Error ? error : new Error(String(error)))
  }

  #end(failure: Failure): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#deps.onEnd()
    this.#link?.close()
    this.#endAll(failure)
  }

  #endAll(failure: Failure): void {
    for (const { end } of this.#underWay) end(failure)
  }
}

const given: Failure = {
  reason: 'connection_error',
  detail: 'The connection was given up, because nothing came over it.',
}
const notStarted: Failure = { reason: 'not_started', detail: 'There was no free connection in time.' }
