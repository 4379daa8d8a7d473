import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError, tooManyRequests } from '../../errors.ts'
import { EventRing, type Entry, type Placed } from './event-ring.ts'

/** Somebody who listens: what of a topic they want, and may see. */
export interface Listener<Audience> {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  wants(topic: string): boolean
  sees(audience: Audience): boolean
}

export interface Limits {
  /** Open streams of this process, and of one user. */
  readonly streams: number
  readonly ofUser: number
  /** Changes that are kept for those who come back. */
  readonly changes: number
  /** Bytes that may wait for a client that does not read. */
  readonly unread: number
}
export const usualLimits: Limits = { streams: 6_000, ofUser: 20, changes: 10_000, unread: 262_144 }

/** Clients come back so soon after a stream has ended. */
const retryMs = 3_000
const beatSeconds = 20

const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // Proxies that collect answers would keep a message until there are more.
  'x-accel-buffering': 'no',
}

interface Stream<Audience> {
  readonly listener: Listener<Audience>
  /** In which second of each `beatSeconds` it hears a heartbeat: not all in the same. */
  readonly beat: number
}

/**
 * The open streams of server-sent events of this process (WHATWG HTML, section 9.2), and the last messages. A client that
 * names the last message that it got is sent what it missed; where that is not known any more, `reset`, whereupon it reads
 * again what it shows.
 */
export class EventStreams<Audience> {
  readonly #limits: Limits
  readonly #ring: EventRing<Audience>
  readonly #streams = new Map<FastifyReply, Stream<Audience>>()
  readonly #ofUser = new Map<number, number>()
  #seconds = 0
  #beats: NodeJS.Timeout | undefined

  constructor(limits: Limits = usualLimits) {
    this.#limits = limits
    this.#ring = new EventRing(limits.changes)
  }

  get size(): number {
    return this.#streams.size
  }

  /** @throws AppError 429 or 503 when there is no room for one more. */
  requireRoom({ principal: { userId } }: Pick<FastifyRequest, 'principal'>): void {
    if (this.size >= this.#limits.streams)
      throw new AppError('too_many_streams', 503, 'This server has as many streams open as it can.', {
        headers: { 'retry-after': '10' },
      })
    if ((this.#ofUser.get(userId) ?? 0) >= this.#limits.ofUser)
      throw tooManyRequests(`You have ${this.#limits.ofUser} streams open already.`, this.#limits.ofUser, 10)
  }

  /**
   * Opens a stream, and first of all sends what was missed.
   * @param lastId the message that the client got last.
   * @param onEnd when it has ended, whoever ended it.
   */
  open(listener: Listener<Audience>, lastId: string | undefined, onEnd: () => void): void {
    const { request, reply } = listener
    this.requireRoom(request)
    reply.hijack()
    const { userId } = request.principal
    this.#streams.set(reply, { listener, beat: this.#seconds % beatSeconds })
    this.#ofUser.set(userId, (this.#ofUser.get(userId) ?? 0) + 1)
    this.#beats ??= setInterval(() => this.#beat(), 1_000)
    reply.raw.once('close', () => {
      this.#streams.delete(reply)
      const left = (this.#ofUser.get(userId) ?? 1) - 1
      if (left > 0) this.#ofUser.set(userId, left)
      else this.#ofUser.delete(userId)
      if (this.size === 0) {
        clearInterval(this.#beats)
        this.#beats = undefined
      }
      onEnd()
    })
    for (const [name, value] of Object.entries({ ...reply.getHeaders(), ...streamHeaders }))
      if (value !== undefined) reply.raw.setHeader(name, value)
    reply.raw.socket?.setNoDelay(true)
    this.#write(reply, `retry: ${retryMs}\n${this.#greeting(listener, lastId)}`)
  }

  /** Sends changes to all who want and may see them. */
  publish(entries: readonly Entry<Audience>[]): void {
    const placed = entries.map((entry) => new Fanned(this.#ring.add(entry)))
    if (placed.length === 0) return
    for (const { listener } of this.#streams.values()) {
      const text = placed.map((entry) => entry.textFor(listener)).join('')
      if (text !== '') this.#write(listener.reply, text)
    }
  }

  /** Says that something may have been missed; what was said before is forgotten. */
  reset(): void {
    this.#ring.forget()
    for (const { listener } of this.#streams.values()) this.#write(listener.reply, this.#say('reset'))
  }

  listeners(): readonly Listener<Audience>[] {
    return [...this.#streams.values()].map(({ listener }) => listener)
  }

  /** Ends one stream; its client comes back, or is refused then. */
  end({ reply }: Pick<Listener<Audience>, 'reply'>): void {
    reply.raw.end()
  }

  endAll(): void {
    for (const listener of this.listeners()) this.end(listener)
  }

  #greeting(listener: Listener<Audience>, lastId: string | undefined): string {
    if (lastId === undefined) return this.#say('ready')
    const missed = this.#ring
      .after(lastId)
      ?.map((entry) => new Fanned(entry).textFor(listener))
      .join('')
    // To read again what is shown is less than to be told of so much.
    if (missed === undefined || missed.length > this.#limits.unread) return this.#say('reset')
    return missed + this.#say('ready')
  }

  #say(event: 'ready' | 'reset'): string {
    return message(this.#ring.position, event, '{}')
  }

  /** A comment keeps the connection open; the id moves on also for those who see nothing of what happens. */
  #beat(): void {
    this.#seconds += 1
    const text = `:\nid: ${this.#ring.position}\n\n`
    for (const { listener, beat } of this.#streams.values())
      if (beat === this.#seconds % beatSeconds) this.#write(listener.reply, text)
  }

  #write({ raw }: FastifyReply, text: string): void {
    if (raw.writableEnded || raw.destroyed) return
    // It goes on with what it got last when it comes back.
    if (raw.writableLength > this.#limits.unread) raw.destroy()
    else raw.write(text)
  }
}

/** An entry on its way to many, most of whom see the same of it: that is written once. */
class Fanned<Audience> {
  readonly #entry: Placed<Audience>
  readonly #texts = new Map<string, string>()

  constructor(entry: Placed<Audience>) {
    this.#entry = entry
  }

  /** @returns '' when there is nothing in it for them. */
  textFor(listener: Listener<Audience>): string {
    const { topic, changes, isCut, id } = this.#entry
    if (!listener.wants(topic)) return ''
    const seen = changes.map(({ audience }) => listener.sees(audience))
    const key = seen.join()
    const known = this.#texts.get(key)
    if (known !== undefined) return known
    const items = changes.filter((_, index) => seen[index]).map(({ item }) => item)
    const text =
      items.length === 0 ? '' : message(id, topic, JSON.stringify({ topic, items, ...(isCut && { is_cut: true }) }))
    this.#texts.set(key, text)
    return text
  }
}

const message = (id: string, event: string, data: string): string => `id: ${id}\nevent: ${event}\ndata: ${data}\n\n`
