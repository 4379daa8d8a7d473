import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Span, Tracing } from '../tracing/tracing.ts'

/** Asked every few seconds by machines. */
const untraced: ReadonlySet<string | undefined> = new Set(['/healthz', '/readyz', '/metrics'])

/** A span for each request, named by the pattern of its route: addresses may hold secrets. It continues the caller's trace. */
export const traceRequests = (app: FastifyInstance, tracing: Tracing): void => {
  const spans = new WeakMap<FastifyRequest, Span>()
  app.addHook('onRequest', async (request) => {
    const { method, routeOptions, headers, id } = request
    if (untraced.has(routeOptions.url)) return
    const parent = headers['traceparent']
    const route = routeOptions.url ?? 'none'
    const facts = { 'http.request.method': method, 'http.route': route, 'waybill.request_id': id }
    const options = { name: `${method} ${route}`, kind: 'server', facts } as const
    spans.set(request, tracing.begin({ ...options, parent: typeof parent === 'string' ? parent : undefined }))
  })
  // Here, for what follows the reading of a body is not called by what came before it.
  app.addHook('preValidation', (request, _reply, done) => {
    const span = spans.get(request)
    if (span === undefined) done()
    else span.enter(done)
  })
  app.addHook('onResponse', async (request, { statusCode }) => {
    const span = spans.get(request)
    span?.set({ 'http.response.status_code': statusCode })
    if (statusCode >= 500) span?.fail(String(statusCode))
    span?.end()
  })
}
