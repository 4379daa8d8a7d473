import type { Static } from 'typebox'
import { plainSettings, type SubscriptionSettings } from '#delivery/subscriber/subscription.ts'
import { checkSettings, mergeSettings, type SentSettings } from '#delivery/surface/settings.ts'
import type { CheckUrl } from '#delivery/surface/target-url.ts'
import { collectProblems, type Problems } from '#platform/problems.ts'
import { scopeOf, type Direction } from './flow.ts'
import type { PartOfFlow } from './schemas.ts'

/** The writable fields as they arrive; their JSON types have been checked. What a body does not name is undefined. */
export type FlowBody = Static<typeof PartOfFlow>

export const settingsFields = { url: 'target', headers: 'headers', secret: 'secret' }

/** What a body asks for of the subscription of an outbound flow. */
export const sentSettings = ({ target, headers, secret, is_active: isActive }: FlowBody): SentSettings => ({
  url: target ?? undefined,
  headers,
  secret,
  isActive,
})

/** @returns the body. Masks are looked at with what is stored. @throws AppError 400 that names every field that is wrong by itself. */
export const checkFields = <Body extends FlowBody>(body: Body, checkUrl: CheckUrl): Body => {
  const problems = collectProblems()
  checkSettings(sentSettings(body), settingsFields, checkUrl, problems)
  problems.throwIfAny()
  return body
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
  const unnamed = { ...plainSettings, scope: scopeOf(flowId) }
  const problems = collectProblems()
  if (body.target === undefined) problems.add('target', needsTarget)
  return mergeSettings(sentSettings(body), { fields: settingsFields, unnamed, stored: undefined, problems })
}
