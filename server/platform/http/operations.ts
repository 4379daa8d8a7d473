import type { FastifyBaseLogger, FastifyPluginAsync } from 'fastify'
import type { Registry } from 'prom-client'
import { Type } from 'typebox'
import { adviceFor, DatabaseUnavailable } from '../db/database-unavailable.ts'
import { makeGauge } from '../telemetry.ts'
import { OneOf } from './schemas.ts'

export interface OperationsOptions {
  readonly version: string
  readonly registry: Registry
  /** What must work before traffic makes sense, by name. */
  readonly checks: Readonly<Record<string, ReadinessCheck>>
}

/** @returns why it does not work, and what to do: a sentence that anybody may read. @throws DatabaseUnavailable, or a bug. */
export type ReadinessCheck = () => Promise<string | undefined>

const config = { access: 'public' } as const
const tags = ['Operations']

/** `/healthz` (the process answers), `/readyz` (it can do its work) and `/metrics` (Prometheus; contract, section 10). */
export const operationsRoutes =
  ({ version, registry, checks }: OperationsOptions): FastifyPluginAsync =>
  async (app) => {
    app.get('/healthz', { config, schema: healthSchema }, async () => ({ status: 'ok', version }))

    app.get('/readyz', { config, schema: readinessSchema }, async (request, reply) => {
      const results = await runChecks(checks, request.log)
      const states = Object.fromEntries(
        results.map(([name, reason]) => [name, reason === undefined ? 'ok' : 'failing']),
      )
      const reasons = results.filter(([, reason]) => reason !== undefined)
      if (reasons.length === 0) return reply.send({ status: 'ready', checks: states })
      return reply
        .code(503)
        .header('retry-after', retryAfterSeconds)
        .send({ status: 'not ready', checks: states, reasons: Object.fromEntries(reasons) })
    })

    const ready = makeGauge(registry, {
      name: 'waybill_ready',
      help: 'Whether a check of /readyz is well (1) or fails (0), at the moment of asking.',
      labelNames: ['check'],
    })
    app.get('/metrics', { config, schema: metricsSchema }, async (request, reply) => {
      for (const [check, reason] of await runChecks(checks, request.log))
        ready.set({ check }, reason === undefined ? 1 : 0)
      return reply.type(registry.contentType).send(await registry.metrics())
    })
  }

/** Runs every check. @returns name and reason, which is undefined where it works. */
export const runChecks = (
  checks: OperationsOptions['checks'],
  log: Pick<FastifyBaseLogger, 'warn'>,
): Promise<(readonly [name: string, reason: string | undefined])[]> =>
  Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      const reason = await reasonOf(check, (error) => log.warn({ err: error, check: name }, 'readiness.failed'))
      return [name, reason] as const
    }),
  )

/** Checks look again after about as long. */
const retryAfterSeconds = 5

/** @param onError gets what the check has thrown, which may say more than anybody may read. */
const reasonOf = async (check: ReadinessCheck, onError: (error: unknown) => void): Promise<string | undefined> => {
  try {
    return await check()
  } catch (error) {
    onError(error)
    return error instanceof DatabaseUnavailable
      ? adviceFor(error)
      : 'The check broke. The log of the server says why: readiness.failed.'
  }
}

const healthSchema = {
  tags,
  operationId: 'health',
  summary: 'The process answers',
  description: 'Whether it can do its work says `/readyz`.',
  response: { 200: Type.Object({ status: OneOf(['ok']), version: Type.String() }, { description: 'It does.' }) },
}
const Readiness = {
  status: OneOf(['ready', 'not ready'], { description: '`not ready` as soon as a check fails.' }),
  checks: Type.Record(Type.String(), OneOf(['ok', 'failing'])),
}
const readinessSchema = {
  tags,
  operationId: 'readiness',
  summary: 'The process can do its work',
  description: 'Looks at the database and the workers. 503 until they work, with reasons.',
  response: {
    200: Type.Object(Readiness, { description: 'Send it traffic.' }),
    503: Type.Object(
      { ...Readiness, reasons: Type.Record(Type.String(), Type.String()) },
      { description: 'Send it none: `checks` says what is failing, `reasons` why and what to do.' },
    ),
  },
}
const metricsSchema = {
  tags,
  operationId: 'metrics',
  summary: 'Figures for Prometheus',
  description: 'In its text format.',
  produces: ['text/plain'],
  response: { 200: Type.String({ description: 'Prometheus text format.' }) },
}
