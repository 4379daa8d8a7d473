import { newSecret } from '#delivery/secrets/secrets.ts'
import { defaultStrategies } from '#delivery/subscriber/retry.ts'
import type { SubscriptionSettings } from '#delivery/subscriber/subscription.ts'
import { checkSettings, mergeSettings, type SentSettings, type SettingsFields } from '#delivery/surface/settings.ts'
import type { CheckUrl } from '#delivery/surface/target-url.ts'
import { invalidFields, type AppError } from '#platform/errors.ts'
import { fieldErrors } from '#platform/http/errors/field-errors.ts'
import type { ValidationError } from '#platform/http/validation.ts'
import { collectProblems } from '#platform/problems.ts'
import { scopeOf } from '../dependencies.ts'
import { eventProblems, readEvents } from './event-names.ts'
import { maxEventNames, type WebhookBody } from './schemas.ts'

/** What a body asks for, all of it valid; what it does not name is undefined. */
export interface WebhookInput {
  readonly name: string | undefined
  readonly settings: SentSettings
}

export const settingsFields: SettingsFields = {
  url: 'url',
  headers: 'headers',
  // Clients set them by habit, so they are taken, and never replace ours.
  tolerated: new Set(['content-type', 'user-agent', 'accept-encoding']),
}

/** A request with the faults that the validator found, so that those of the event names can be told with them. */
interface SentWebhook {
  readonly body: unknown
  readonly validationError?: { readonly validation?: readonly ValidationError[] }
}

/**
 * Reads the body of a creation or a change (contract, section 3).
 * @throws AppError 400 that names every field that is wrong.
 */
export const readWebhookInput = ({ body, validationError }: SentWebhook, checkUrl: CheckUrl): WebhookInput => {
  if (validationError !== undefined) throw malformedWebhook(body, validationError.validation ?? [])
  const problems = collectProblems()
  const { name, url, headers, active, events } = body as WebhookBody
  if (name !== undefined && name.trim() === '') problems.add('name', 'This field may not be blank.')
  checkSettings({ url, headers }, settingsFields, checkUrl, problems)
  const eventTypes = events === undefined ? undefined : readEvents(events, problems)
  problems.throwIfAny()
  return { name, settings: { url, headers, isActive: active, eventTypes } }
}

/** 400 for a body that is not as its schema says: names that are none stand among the rest of the events' faults. */
const malformedWebhook = (body: unknown, faults: readonly ValidationError[]): AppError => {
  const events: unknown = typeof body === 'object' && body !== null && 'events' in body ? body.events : undefined
  const names: readonly unknown[] = Array.isArray(events) && events.length <= maxEventNames ? events : []
  return invalidFields({ ...fieldErrors(faults), ...eventProblems(names) })
}

/**
 * Settings of a new subscription for a webhook. It signs from the beginning, with a secret that is made here.
 * @throws AppError 400 where a header has the mask: there is nothing yet that it could keep.
 */
export const newSettings = (projectId: string, sent: SentSettings): SubscriptionSettings => {
  const unnamed = {
    scope: scopeOf(projectId),
    dialect: 'standard',
    signature: 'v1',
    secret: newSecret(),
    auth: null,
    headers: null,
    retry: defaultStrategies.exponential,
    isActive: true,
    // Required where nothing is stored.
    url: '',
    eventTypes: [],
  } as const
  return mergeSettings(sent, { fields: settingsFields, unnamed, stored: undefined })
}
