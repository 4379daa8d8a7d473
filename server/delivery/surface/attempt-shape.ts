import { Type, type TSchema } from 'typebox'
import { Nullable, OneOf, Timestamp } from '#platform/http/schemas.ts'
import type { Attempt } from '../log/delivery-log.ts'
import { camelCase, makeShape, type Naming, type Shape } from './shape.ts'

export interface AttemptShapeOptions {
  readonly title: string
  readonly description: string
  /** Phases of the exchange, which have other names on each kind of surface. */
  readonly timing: Shape<AttemptTiming>
  readonly responseBody?: string
}

export interface AttemptTiming extends Readonly<Attempt['timing']> {
  readonly totalMs: number | null
}

const phase = Nullable(Type.Integer())
const noPhase =
  'null where there was no such phase: a connection that is kept needs no DNS, connect and TLS. ' +
  'The first byte counts from the request written to the first byte of the answer.'

/** The phases as surfaces with snake_case names have them, without the unit. */
export const snakeTiming = makeShape<AttemptTiming>(
  (field) => (field === 'firstByteMs' ? 'first_byte' : field.replace(/Ms$/, '')),
  { dnsMs: phase, connectMs: phase, tlsMs: phase, firstByteMs: phase, totalMs: phase },
  { title: 'AttemptTiming', description: `Milliseconds. ${noPhase}` },
)

/** The phases with their TypeScript names. */
export const camelTiming = makeShape<AttemptTiming>(
  camelCase,
  { dnsMs: phase, connectMs: phase, tlsMs: phase, firstByteMs: phase },
  { description: noPhase },
)

const Headers = (description?: string): TSchema =>
  Nullable(Type.Record(Type.String(), Type.String(), description === undefined ? {} : { description }))

/** One attempt, as answers show it: what was sent, what came back, and how long each phase took. */
export const makeAttemptShape = (
  naming: Naming,
  { title, description, timing, responseBody }: AttemptShapeOptions,
): Shape<Attempt> => {
  const shape = makeShape<Omit<Attempt, 'timing'> & { timing: unknown }>(
    naming,
    {
      number: Type.Integer(),
      startedAt: Timestamp,
      durationMs: Nullable(Type.Integer()),
      outcome: OneOf(['delivered', 'retry', 'failed', 'unknown'], {
        description: 'unknown: the server stopped before the attempt ended.',
      }),
      reason: Nullable(Type.String({ description: 'Why it ended as it did, in a word.' })),
      detail: Nullable(Type.String({ description: 'The same for people.' })),
      requestHeaders: Headers('Without signatures and the values of custom headers.'),
      responseStatus: Nullable(Type.Integer()),
      responseHeaders: Headers(),
      responseBody: Nullable(Type.String(responseBody === undefined ? {} : { description: responseBody })),
      address: Nullable(Type.String({ description: 'The address that was connected to.', examples: ['203.0.113.7'] })),
      timing: timing.schema,
      nextAttemptAt: Nullable(Timestamp),
    },
    { title, description },
  )
  return {
    schema: shape.schema,
    toRecord: (attempt) =>
      shape.toRecord({
        ...attempt,
        timing: timing.toRecord({ ...attempt.timing, totalMs: attempt.durationMs }),
      }),
  }
}
