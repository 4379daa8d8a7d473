import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Db } from '#platform/db/database.ts'
import { AppError } from '#platform/errors.ts'
import type { EventStreams, Listener } from '#platform/http/event-streams/event-streams.ts'
import { limitConcurrency } from '#platform/limit-concurrency.ts'
import { makeLoop } from '#platform/loop.ts'
import { sees, type Audience, type Viewer } from './audience.ts'
import type { Topic } from './changes.ts'
import { membershipsOf } from './tail-store.ts'

/** Somebody who watches these topics, with the rights that were found last. */
export class Watcher implements Listener<Audience> {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly #topics: ReadonlySet<string>
  #viewer: Viewer

  constructor(request: FastifyRequest, reply: FastifyReply, topics: readonly Topic[], memberships: Memberships) {
    this.request = request
    this.reply = reply
    this.#topics = new Set(topics)
    this.#viewer = viewerOf(request, memberships)
  }

  wants(topic: string): boolean {
    return this.#topics.has(topic)
  }

  sees(audience: Audience): boolean {
    return sees(this.#viewer, audience)
  }

  learn(memberships: Memberships): void {
    this.#viewer = viewerOf(this.request, memberships)
  }
}

type Memberships = Awaited<ReturnType<typeof membershipsOf>>

const viewerOf = ({ principal }: FastifyRequest, memberships: Memberships): Viewer => ({
  principal,
  organizations: memberships.get(principal.userId) ?? new Set(),
})

/** A credential that was taken back may be used for so long. */
const checkEveryMs = 3_000
const checksAtOnce = 8

interface CheckDeps {
  readonly db: Db
  readonly log: Logger
  readonly streams: EventStreams<Audience>
  /** Authenticates the caller of a request once more. @throws AppError 401 or 403. */
  readonly admitAgain: (request: FastifyRequest) => Promise<void>
}

/**
 * Looks again and again at who watches: ends the streams of those whose credential is good no more, or stands for other
 * rights, and learns who has joined or left an organization. Each credential is looked at once, however many streams it has.
 */
export const makeChecks = ({ db, log, streams, admitAgain }: CheckDeps) => {
  const limited = limitConcurrency(checksAtOnce)
  const check = async (listeners: readonly Listener<Audience>[]): Promise<void> => {
    const [first] = listeners
    if (first === undefined) return
    const before = listeners.map(({ request }) => JSON.stringify(request.principal))
    const isAdmitted = await isStillAdmitted(admitAgain, first.request)
    const now = JSON.stringify(first.request.principal)
    for (const [index, listener] of listeners.entries()) if (!isAdmitted || before[index] !== now) streams.end(listener)
  }
  return makeLoop({
    name: 'rights of streams',
    everyMs: checkEveryMs,
    log,
    run: async () => {
      const groups = [...Map.groupBy(streams.listeners(), ({ request }) => credentialOf(request)).values()]
      await Promise.all(groups.map((group) => limited(() => check(group))))
      const listeners = streams.listeners()
      const memberships = await membershipsOf(db, [
        ...new Set(listeners.map(({ request }) => request.principal.userId)),
      ])
      for (const listener of listeners) if (listener instanceof Watcher) listener.learn(memberships)
    },
  })
}

/** @throws what keeps it from being known, such as a database that does not answer. */
const isStillAdmitted = async (admitAgain: CheckDeps['admitAgain'], request: FastifyRequest): Promise<boolean> => {
  try {
    await admitAgain(request)
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}

const credentialOf = ({ headers }: FastifyRequest): string =>
  [headers.authorization, headers['x-access-token'], headers.cookie].join('\n')
