import { defaultStrategies } from '#delivery/subscriber/retry.ts'
import type { SubscriptionSettings } from '#delivery/subscriber/subscription.ts'
import { checkHeaders } from '#delivery/surface/custom-headers.ts'
import { keepHeaders } from '#delivery/surface/kept-headers.ts'
import { mask } from '#delivery/subscriber/mask.ts'
import { secretProblem } from '#delivery/surface/signing-secret.ts'
import { originOf, urlProblem } from '#delivery/surface/target-url.ts'
import { collectProblems, type Problems } from '#platform/problems.ts'
import { scopeOf, type Direction } from './flow.ts'

/** The writable fields as they arrive; their JSON types have been checked. What a body does not name is undefined. */
export interface FlowBody {
  readonly direction?: Direction
  readonly name?: string
  readonly target?: string | null
  readonly headers?: Readonly<Record<string, string>> | null
  readonly secret?: string | null
  readonly is_active?: boolean
}

/** What speaks against a URL besides its form, such as a literal private address; undefined when nothing does. */
export type CheckUrl = (url: string) => string | undefined

/**
 * Says what is wrong with the fields of a body by themselves. Masks are looked at with what is stored.
 * @throws AppError 400 that names every field that is wrong.
 */
export const checkFields = ({ target, headers, secret }: FlowBody, checkUrl: CheckUrl): void => {
  const problems = collectProblems()
  if (typeof target === 'string') problems.add('target', urlProblem(target, checkUrl))
  checkHeaders(headers ?? {}, { field: 'headers', problems })
  if (typeof secret === 'string' && secret !== mask) problems.add('secret', secretProblem(secret))
  problems.throwIfAny()
}

/**
 * Says which fields are not for a flow of this direction.
 * @throws AppError 400 that names them.
 */
export const checkDirection = (body: FlowBody, direction: Direction): void => {
  const problems = collectProblems()
  if (body.direction !== undefined && body.direction !== direction)
    problems.add('direction', 'The direction of a flow cannot be changed; make another flow.')
  if (direction === 'inbound') refuseOutboundFields(body, problems)
  else if (body.target === null) problems.add('target', needsTarget)
  problems.throwIfAny()
}

const needsTarget = 'An outbound flow needs a target.'

/** Nothing is sent through an inbound flow. What its own answers show is taken, so that it can be sent back. */
const refuseOutboundFields = ({ target, headers, secret }: FlowBody, problems: Problems): void => {
  const why = 'Only outbound flows have this; leave it out.'
  if ((target ?? null) !== null) problems.add('target', why)
  if (Object.keys(headers ?? {}).length > 0) problems.add('headers', why)
  if ((secret ?? null) !== null) problems.add('secret', why)
}

/**
 * Settings of the subscription of a new outbound flow.
 * @throws AppError 400 without a target, and for a mask: there is nothing yet that it could keep.
 */
export const newSettings = (flowId: number, body: FlowBody): SubscriptionSettings => {
  const unnamed = {
    scope: scopeOf(flowId),
    dialect: 'standard',
    eventTypes: [],
    url: '',
    headers: null,
    secret: null,
    signature: 'v1',
    auth: null,
    retry: defaultStrategies.exponential,
    isActive: true,
  } as const
  const problems = collectProblems()
  if (body.target === undefined) problems.add('target', needsTarget)
  return merge(body, unnamed, problems)
}

/**
 * Settings after a change: what the body does not name stays as it is, and so does what it names by the mask.
 * @throws AppError 400 that names what has to be sent again.
 */
export const changedSettings = (body: FlowBody, stored: SubscriptionSettings): SubscriptionSettings =>
  merge(body, stored, collectProblems())

const merge = (body: FlowBody, stored: SubscriptionSettings, problems: Problems): SubscriptionSettings => {
  const url = body.target ?? stored.url
  const headers = keepHeaders({
    field: 'headers',
    problems,
    moves: stored.url !== '' && url !== '' && originOf(stored.url) !== originOf(url),
    isNamed: body.headers !== undefined,
    wanted: body.headers === undefined ? stored.headers : body.headers,
    stored: stored.headers,
  })
  // The secret is never sent, so it stays wherever the target moves.
  const secret = body.secret === undefined || body.secret === mask ? stored.secret : body.secret
  if (body.secret === mask && stored.secret === null)
    problems.add('secret', 'This is the mask, and no secret is stored that it could keep; send the secret.')
  problems.throwIfAny()
  return { ...stored, url, headers, secret, isActive: body.is_active ?? stored.isActive }
}
