import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { Counter, type Registry } from 'prom-client'
import type { Service } from '#platform/supervisor.ts'
import type { OpenSource, SourceMessage } from './source.ts'
import type { SourceUrl } from './source-url.ts'

/** What becomes of a message: its events are committed, or it is refused for good. */
export type Raised = { readonly ok: true } | { readonly ok: false; readonly reason: string }

/**
 * Raises the events of messages as a user, in their order.
 * @returns what becomes of each. Throws what is no refusal, such as that the database is away: then nothing is stored.
 */
export type RaiseMessages = (messages: readonly SourceMessage[], userId: number) => Promise<readonly Raised[]>

export interface EventSourcesDeps {
  readonly urls: readonly SourceUrl[]
  readonly raise: RaiseMessages
  /** Who raises the events; undefined while that user may not. */
  readonly userId: () => Promise<number | undefined>
  readonly log: Logger
  readonly registry: Registry
}

const [firstWaitMs, maxWaitMs] = [500, 30_000]
/** Shorter than any broker waits for a sign of life. */
const maxHeldMs = 15_000

/** Takes events from brokers as long as it runs, one service for each source. */
export const makeEventSources = ({ urls, registry, ...deps }: EventSourcesDeps): readonly Service[] => {
  if (urls.length === 0) return []
  const messages = new Counter({
    name: 'waybill_event_source_messages_total',
    help: 'Messages taken from brokers: accepted, or refused and put away.',
    labelNames: ['source', 'outcome'],
    registers: [registry],
  })
  return urls.map((url) => {
    const count = (outcome: string): void => messages.inc({ source: url.name, outcome })
    return makeSource(url, { ...deps, count })
  })
}

type SourceDeps = Omit<EventSourcesDeps, 'urls' | 'registry'> & { readonly count: (outcome: string) => void }

const makeSource = (url: SourceUrl, deps: SourceDeps): Service => {
  const { log } = deps
  let stopping = AbortSignal.abort()
  let abort = (): void => undefined
  let running: Promise<void> | undefined
  const pause = (ms: number): Promise<unknown> => sleep(ms, undefined, { signal: stopping }).catch(() => undefined)

  const run = async (): Promise<void> => {
    let waitMs = firstWaitMs
    const succeeded = (): void => {
      waitMs = firstWaitMs
    }
    while (!stopping.aborted) {
      try {
        const source = await open(url)
        log.info({ source: url.name }, 'event_source.opened')
        await consume(source, { ...deps, succeeded }, stopping)
        if (!stopping.aborted) log.warn({ source: url.name }, 'event_source.closed')
      } catch (error) {
        log.error({ err: error, source: url.name, nextTryMs: waitMs }, 'event_source.failed')
      }
      await pause(waitMs)
      waitMs = Math.min(2 * waitMs, maxWaitMs)
    }
  }
  return {
    name: `events of ${url.name}`,
    async start() {
      const controller = new AbortController()
      stopping = controller.signal
      abort = () => controller.abort()
      running = run()
    },
    async stop() {
      abort()
      await running
    },
  }
}

/** The clients are loaded where there are sources of their kind. */
const open = async (url: SourceUrl): Promise<OpenSource> => {
  if (url.kind === 'jetstream') return (await import('./jetstream-source.ts')).openJetstreamSource(url)
  return (await import('./rabbitmq-source.ts')).openRabbitmqSource(url)
}

type ConsumeDeps = SourceDeps & { readonly succeeded: () => void }

/** Takes messages until the connection ends. What is under way when the process stops is finished first. */
const consume = async (source: OpenSource, deps: ConsumeDeps, stopping: AbortSignal): Promise<void> => {
  const stop = (): void => source.stop()
  stopping.addEventListener('abort', stop, { once: true })
  try {
    for (;;) {
      const messages = stopping.aborted ? [] : await source.next()
      if (messages.length === 0) return
      await settle(new Set(messages), source, deps)
      deps.succeeded()
    }
  } finally {
    stopping.removeEventListener('abort', stop)
    await source.close()
  }
}

/**
 * Raises the events of messages, and only then tells the broker. What fails for now, such as that the database is away, is
 * tried again until it works or the connection ends: the broker would send it again, but not in its order.
 * @param left of which each goes when it is done.
 */
const settle = async (left: Set<SourceMessage>, source: OpenSource, deps: ConsumeDeps): Promise<void> => {
  for (let waitMs = firstWaitMs; left.size > 0; waitMs = Math.min(2 * waitMs, maxHeldMs)) {
    try {
      await raiseAll(left, deps)
    } catch (error) {
      deps.log.error({ err: error, count: left.size, nextTryMs: waitMs }, 'event_source.postponed')
      for (let waited = 0; waited < waitMs && source.isOpen(); waited += firstWaitMs) await sleep(firstWaitMs)
      if (!source.isOpen()) return
      for (const message of left) message.touch()
      source.touch()
    }
  }
}

const raiseAll = async (left: Set<SourceMessage>, { raise, userId, log, count }: ConsumeDeps): Promise<void> => {
  const user = await userId()
  if (user === undefined) throw new Error('The user of EVENT_SOURCES_USER may not raise events: no active staff.')
  const messages = [...left]
  const raised = await raise(messages, user)
  for (const [index, message] of messages.entries()) {
    const result = raised[index]
    if (result?.ok === false) {
      log.warn({ messageId: message.id, reason: result.reason }, 'event_source.refused')
      await message.deadLetter(result.reason)
    }
    message.acknowledge()
    left.delete(message)
    count(result?.ok === false ? 'refused' : 'accepted')
  }
}
