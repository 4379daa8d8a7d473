import type { ProjectEventType } from '#events/catalogue.ts'
import { defaultStrategies } from '#delivery/subscriber/retry.ts'
import { newSecret } from '#delivery/secrets/secrets.ts'
import { checkHeaders } from '#delivery/surface/custom-headers.ts'
import { keepHeaders } from '#delivery/surface/kept-headers.ts'
import { originOf, urlProblem } from '#delivery/surface/target-url.ts'
import type { SubscriptionSettings } from '#delivery/subscriber/subscription.ts'
import { invalidFields, type AppError } from '#platform/errors.ts'
import { fieldErrors } from '#platform/http/field-errors.ts'
import type { ValidationError } from '#platform/http/validation.ts'
import { collectProblems } from '#platform/problems.ts'
import { scopeOf } from '../dependencies.ts'
import { eventProblems, readEvents } from './event-names.ts'
import { mostEventNames, type WebhookBody } from './schemas.ts'

/** What a body asks for, all of it valid; what it does not name is undefined. Headers may still have the mask. */
export interface WebhookInput {
  readonly name: string | undefined
  readonly url: string | undefined
  readonly headers: Readonly<Record<string, string>> | undefined
  readonly active: boolean | undefined
  readonly events: readonly ProjectEventType[] | undefined
}

/** Headers that every delivery sets itself. Clients set them by habit, so they are taken, and never replace ours. */
const tolerated = new Set(['content-type', 'user-agent', 'accept-encoding'])

/**
 * Reads the body of a creation or a change (contract, section 3).
 * @param checkUrl what speaks against a URL besides its form.
 * @throws AppError 400 that names every field that is wrong.
 */
export const readWebhookInput = (body: WebhookBody, checkUrl: (url: string) => string | undefined): WebhookInput => {
  const problems = collectProblems()
  const { name, url, headers, active, events } = body
  if (name !== undefined && name.trim() === '') problems.add('name', 'This field may not be blank.')
  if (url !== undefined) problems.add('url', urlProblem(url, checkUrl))
  checkHeaders(headers ?? {}, { field: 'headers', problems, tolerated })
  const wanted = events === undefined ? undefined : readEvents(events, problems)
  problems.throwIfAny()
  return { name, url, headers, active, events: wanted }
}

/** 400 for a body that is not as its schema says: names that are none stand among the rest of the events' faults. */
export const malformedWebhook = (body: unknown, faults: readonly ValidationError[]): AppError => {
  const events: unknown = typeof body === 'object' && body !== null && 'events' in body ? body.events : undefined
  const names: readonly unknown[] = Array.isArray(events) && events.length <= mostEventNames ? events : []
  return invalidFields({ ...fieldErrors(faults), ...eventProblems(names) })
}

/**
 * Settings of a new subscription for a webhook. It signs from the beginning, with a secret that is made here.
 * @throws AppError 400 where a header has the mask: there is nothing yet that it could keep.
 */
export const newSettings = (projectId: string, input: WebhookInput): SubscriptionSettings => ({
  scope: scopeOf(projectId),
  dialect: 'standard',
  signature: 'v1',
  secret: newSecret(),
  auth: null,
  retry: defaultStrategies.exponential,
  // Required where nothing is stored.
  url: input.url ?? '',
  eventTypes: input.events ?? [],
  headers: keptHeaders(input, undefined),
  isActive: input.active ?? true,
})

/**
 * Settings after a change: what it does not name stays as it is.
 * @throws AppError 400 that names the headers whose values have to be sent again.
 */
export const patchedSettings = (input: WebhookInput, stored: SubscriptionSettings): SubscriptionSettings => ({
  ...stored,
  url: input.url ?? stored.url,
  eventTypes: input.events ?? stored.eventTypes,
  headers: keptHeaders(input, stored),
  isActive: input.active ?? stored.isActive,
})

const keptHeaders = (
  { url, headers }: WebhookInput,
  stored: Pick<SubscriptionSettings, 'url' | 'headers'> | undefined,
): SubscriptionSettings['headers'] => {
  const problems = collectProblems()
  const before = stored?.headers ?? null
  const kept = keepHeaders({
    field: 'headers',
    problems,
    moves: stored !== undefined && url !== undefined && originOf(stored.url) !== originOf(url),
    isNamed: headers !== undefined,
    wanted: headers ?? before,
    stored: before,
  })
  problems.throwIfAny()
  return kept
}
