import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DatabaseUnavailable } from '../../db/database-unavailable.ts'
import { AppError, invalidFields, notFound } from '../../errors.ts'
import { allowedMethods, type RouteTable } from '../allowed-methods.ts'
import type { Pages } from '../console/console.ts'
import { shapeFor, type ErrorShape } from './error-shapes.ts'
import { fieldErrors } from './field-errors.ts'

export type SendError = (request: FastifyRequest, reply: FastifyReply, error: AppError) => FastifyReply

/** Makes the one function that errors leave through, in the shape of the surface they happened on. */
export const makeSendError =
  (shapes: readonly ErrorShape[]): SendError =>
  (request, reply, error) => {
    const { contentType, body } = shapeFor(shapes, request.url).render(error)
    // Serialized here: the route's response schemas describe its own answers, not every error.
    return (
      reply
        .code(error.status)
        // Also on what is refused before the hooks that set them have run.
        .headers({ 'x-request-id': request.id, 'x-content-type-options': 'nosniff', ...error.details.headers })
        .type(contentType)
        .serializer((payload: unknown) => (typeof payload === 'string' ? payload : JSON.stringify(payload)))
        .send(body)
    )
  }

/** Installs the one place where errors become answers. @param pages answer where there is no route, to those who want a page. */
export const handleErrors = (app: FastifyInstance, sendError: SendError, routes: RouteTable, pages?: Pages): void => {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    // Also a word where the path of another method has a number: what there is by that name has other methods.
    const isOfNoRoute =
      error.code === 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE' ||
      error.validationContext === 'params' ||
      (isOfBody(error) && !fitsPath(request))
    const known = isOfNoRoute ? noSuchMethod(routes, request) : asAppError(error, request.routeOptions.bodyLimit)
    if (known !== undefined) {
      if (known.status >= 500) request.log.error({ err: error }, 'request.unavailable')
      return sendError(request, reply, known)
    }
    request.log.error({ err: error }, 'request.failed')
    const message = `Server error. Quote request ${request.id} when you report it.`
    return sendError(request, reply, new AppError('server_error', 500, message))
  })

  app.setNotFoundHandler(async (request, reply) =>
    pages?.isWanted(request) === true
      ? pages.send(request, reply)
      : sendError(request, reply, noSuchMethod(routes, request)),
  )
}

/** A body is read before the parameters of its path are looked at. */
const isOfBody = (error: FastifyError): boolean =>
  [400, 413, 415].includes((error instanceof AppError ? error.status : error.statusCode) ?? 0)

const fitsPath = (request: FastifyRequest): boolean =>
  request.routeOptions.schema?.params === undefined || request.validateInput(request.params, 'params')

/** 405 when the path exists for other methods, else 404. */
const noSuchMethod = (routes: RouteTable, { method, url }: FastifyRequest): AppError => {
  const methods = allowedMethods(routes, url)
  if (methods.length === 0 || methods.includes(method)) return notFound()
  const headers = { allow: methods.join(', ') }
  return new AppError('method_not_allowed', 405, `Method "${method}" not allowed.`, { headers })
}

/** Whether what was asked for has happened is not known: repeating it with its `Idempotency-Key` is safe. */
const unavailable = (): AppError =>
  new AppError('unavailable', 503, 'The database does not answer. Try again.', { headers: { 'retry-after': '1' } })

/** What the framework refuses before a handler runs, in this API's words. Anything not listed is a bug. */
const frameworkErrors: Record<string, (bodyLimit: number) => AppError> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    new AppError('unsupported_media_type', 415, 'Send the body as application/json.'),
  FST_ERR_CTP_BODY_TOO_LARGE: (limit) => new AppError('too_large', 413, `The body is larger than ${sizeOf(limit)}.`),
  FST_ERR_CTP_EMPTY_JSON_BODY: () => new AppError('parse_error', 400, 'The body is empty; send a JSON document.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new AppError('parse_error', 400, 'The body is not as long as Content-Length says.'),
  FST_ERR_BAD_URL: () => notFound(),
  FST_ERR_MAX_PARAM_LENGTH: () => notFound(),
}

const oneMiB = 1024 ** 2
const sizeOf = (bytes: number): string => (bytes < oneMiB ? `${bytes / 1024} KiB` : `${bytes / oneMiB} MiB`)

/** The error as something the caller can act on; undefined when it is a bug. @param bodyLimit of the route, in bytes. */
export const asAppError = (error: FastifyError, bodyLimit = oneMiB): AppError | undefined => {
  if (error instanceof AppError) return error
  if (error instanceof DatabaseUnavailable) return unavailable()
  if (error.validation !== undefined) {
    // A path parameter that is not even of the right form names nothing.
    if (error.validationContext === 'params') return notFound()
    return invalidFields(fieldErrors(error.validation))
  }
  return frameworkErrors[error.code]?.(bodyLimit) ?? clientError(error)
}

/** Anything else that the framework or a plugin blames on the request, and a request that its sender broke off. */
const clientError = ({ statusCode, code, message }: FastifyError): AppError | undefined => {
  if (statusCode === 403 || statusCode === 404) return notFound()
  const isAborted = code === 'ECONNRESET' || message === 'aborted'
  if (isAborted || (statusCode !== undefined && statusCode >= 400 && statusCode < 500)) {
    return new AppError('bad_request', 400, 'The request could not be read.')
  }
  return undefined
}
