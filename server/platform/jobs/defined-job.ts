import type { JobWithMetadata } from 'pg-boss'
import type { Static, TObject } from 'typebox'
import { bodyValidator } from '../http/validation.ts'
import type { JobDefinition, JobFailure, JobOutcome } from './job.ts'

/**
 * What is stored for a job. It names its kind and itself, because the copy that is made of a failed one (`failuresQueue`)
 * does not: pg-boss notes beside it where it came from, and forgets that when the copy is tried again.
 */
export interface Envelope {
  readonly job: string
  readonly id: string
  readonly data: unknown
  /** The trace in which it was enqueued. */
  readonly traceparent?: string
}

/** A definition with its defaults, and without the type of its data: what came back from the database is `unknown`. */
export interface DefinedJob extends Required<Omit<JobDefinition<TObject>, 'data' | 'handler' | 'onFailed'>> {
  /** Whether failures of this kind are handed to the queue of failures. */
  readonly reportsFailure: boolean
  readonly run: (job: JobWithMetadata<Envelope>, signal: AbortSignal) => Promise<JobOutcome>
  readonly failed: (data: unknown, failure: JobFailure) => Promise<void>
}

const defaults = {
  attempts: 10,
  firstDelaySeconds: 5,
  longestDelaySeconds: 3600,
  concurrency: 1,
  timeoutSeconds: 900,
}

export const definedJob = <S extends TObject>({
  data: schema,
  handler,
  onFailed,
  ...rest
}: JobDefinition<S>): DefinedJob => ({
  ...defaults,
  ...rest,
  reportsFailure: true,
  run: async ({ data: envelope, retryCount }, signal) => {
    const misfit = misfitOf(schema, envelope.data)
    if (misfit !== undefined) return { giveUp: misfit }
    return handler(envelope.data as Static<S>, { id: envelope.id, attempt: retryCount + 1, signal })
  },
  failed: async (data, failure) => {
    if (misfitOf(schema, data) === undefined) await onFailed?.(data as Static<S>, failure)
  },
})

/** What is wrong with data that a schema does not fit. */
export const misfitOf = (schema: TObject, data: unknown): string | undefined => {
  const validate = bodyValidator(schema)
  if (validate(data)) return undefined
  const [first] = validate.errors ?? []
  return `The data does not fit: ${first?.instancePath} ${first?.message}.`
}
