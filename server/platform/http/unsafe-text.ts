import type { FastifyInstance } from 'fastify'
import { invalidField, notFound } from '../errors.ts'
import { textProblem } from './json-body.ts'

/** Refuses NUL and lone surrogates in paths and queries: no row can hold them, so nothing there can match. */
export const refuseUnsafeUrls = (app: FastifyInstance): void => {
  app.addHook('preValidation', async (request) => {
    for (const value of Object.values(request.params as Record<string, unknown>)) {
      if (typeof value === 'string' && textProblem(value) !== undefined) throw notFound()
    }
    for (const [name, values] of Object.entries(request.query as Record<string, unknown>)) {
      for (const value of [values].flat()) {
        const problem = typeof value === 'string' ? textProblem(value) : undefined
        if (problem !== undefined) throw invalidField(name, problem)
      }
    }
  })
}
