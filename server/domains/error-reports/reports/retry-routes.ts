import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Dependencies } from '../dependencies.ts'
import { toWire } from './report.ts'
import type { makeRetryReport } from './retry-report.ts'
import { retrySchema } from './schemas.ts'

const config = { access: { role: 'staff', scope: 'error-reports:write' } } as const

/** Trying again what a report says (contract, section 6). */
export const retryRoutes =
  (
    { baseUrl, write }: Pick<Dependencies, 'baseUrl' | 'write'>,
    retry: ReturnType<typeof makeRetryReport>,
  ): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post('/api/v1/error_reports/:id/retry', { schema: retrySchema, config }, async (request, reply) =>
      write(request, reply, async (tx) => {
        const report = await retry(tx, request.params.id, request.principal.userId)
        return { status: 202, body: toWire(report, baseUrl()) }
      }),
    )
  }
