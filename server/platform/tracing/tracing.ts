import { AsyncLocalStorage } from 'node:async_hooks'

export type SpanKind = 'server' | 'client' | 'producer' | 'consumer'
/** Facts that nobody has to keep secret: no bodies, headers or credentials, and of a URL its origin alone. */
export type SpanFacts = Readonly<Record<string, string | number | boolean>>

export interface SpanOptions {
  readonly name: string
  readonly kind: SpanKind
  /** The `traceparent` that it continues (W3C Trace Context); absent: it begins a trace. */
  readonly parent?: string | null | undefined
  readonly facts?: SpanFacts
}

/** Something that goes on. It is reported once it has ended. */
export interface Span {
  /** Names it to others, who continue its trace. */
  readonly traceparent: string
  set(facts: SpanFacts): void
  /** @param reason a word, such as the name of an error, not its message. */
  fail(reason: string): void
  end(): void
  /** Whatever `work` calls is in this span, however long it waits in between. */
  enter<T>(work: () => T): T
}

/** Reports what this process does to whoever collects traces. Absent: nobody does, and nothing is measured. */
export interface Tracing {
  begin(options: SpanOptions): Span
  /** Reports what has ended, and ends. */
  stop(): Promise<void>
}

interface Current {
  readonly traceparent: string
  readonly begin: Tracing['begin']
}

/** Beside the calls, so that no function on the way has to hand it on; it decides nothing. */
const current = new AsyncLocalStorage<Current>()

/** For `Tracing` alone: see `Span.enter`. */
export const enterSpan = <T>(span: Current, work: () => T): T => current.run(span, work)

/** Names what is going on; undefined without tracing. */
export const currentTraceparent = (): string | undefined => current.getStore()?.traceparent

/** Does work in a span of what is going on; without one it only does the work. */
export const inSpan = <T>(options: Omit<SpanOptions, 'parent'>, work: () => Promise<T>): Promise<T> => {
  const parent = current.getStore()
  if (parent === undefined) return work()
  return runSpan(parent.begin({ ...options, parent: parent.traceparent }), work)
}

/** Does work in a span, which ends with it, and has failed when it throws. */
export const runSpan = async <T>(span: Span, work: (span: Span) => Promise<T>): Promise<T> => {
  try {
    return await span.enter(() => work(span))
  } catch (error) {
    span.fail(error instanceof Error ? error.name : 'Error')
    throw error
  } finally {
    span.end()
  }
}
