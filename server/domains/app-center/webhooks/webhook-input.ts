import { newSecret } from '#delivery/secrets/secrets.ts'
import { plainSettings, type SubscriptionSettings } from '#delivery/subscriber/subscription.ts'
import { checkSettings, mergeSettings, type SentSettings, type SettingsFields } from '#delivery/surface/settings.ts'
import type { CheckUrl } from '#delivery/surface/target-url.ts'
import { projectEventTypes, type ProjectEventType } from '#events/catalogue.ts'
import { collectProblems } from '#platform/problems.ts'
import { scopeOf } from '../dependencies.ts'
import type { WebhookBody } from './schemas.ts'

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

/**
 * Reads the body of a creation or a change (contract, section 3), which its schema has passed.
 * @throws AppError 400 that names every field that is wrong.
 */
export const readWebhookInput = (
  { name, url, headers, active, events }: WebhookBody,
  checkUrl: CheckUrl,
): WebhookInput => {
  const problems = collectProblems()
  checkSettings({ url, headers }, settingsFields, checkUrl, problems)
  problems.throwIfAny()
  return { name, settings: { url, headers, isActive: active, eventTypes: events && subscribedEvents(events) } }
}

/** The events of document 1 among these, each once, in its order. */
export const subscribedEvents = (names: readonly string[]): ProjectEventType[] =>
  projectEventTypes.filter((known) => names.includes(known))

/**
 * Settings of a new subscription for a webhook. It signs from the beginning, with a secret that is made here.
 * @throws AppError 400 where a header has the mask: there is nothing yet that it could keep.
 */
export const newSettings = (projectId: string, sent: SentSettings): SubscriptionSettings => {
  const unnamed = { ...plainSettings, scope: scopeOf(projectId), secret: newSecret() }
  return mergeSettings(sent, { fields: settingsFields, unnamed, stored: undefined })
}
