import type { Static } from 'typebox'
import { orderManagementEvents } from './order-management.ts'
import { pingEvents } from './ping.ts'
import { projectEvents } from './projects.ts'
import { quotationEvents } from './quotations.ts'
import { webhookEvents } from './webhooks.ts'

/** What the hooks of the back office can subscribe to. */
const backOfficeEvents = { ...orderManagementEvents, ...quotationEvents, ...webhookEvents }

/** Every event there is: name → what it means and carries. */
export const catalogue = { ...backOfficeEvents, ...projectEvents, ...pingEvents }

export type EventType = keyof typeof catalogue
export type EventData<T extends EventType> = Static<(typeof catalogue)[T]['schema']>

const namesOf = <T extends string>(events: Readonly<Record<T, unknown>>): T[] => (Object.keys(events) as T[]).toSorted()

export type BackOfficeEventType = keyof typeof backOfficeEvents
export const backOfficeEventTypes = namesOf(backOfficeEvents)
export const isBackOfficeEventType = (name: string): name is BackOfficeEventType =>
  Object.hasOwn(backOfficeEvents, name)

export type ProjectEventType = keyof typeof projectEvents
/** In the order of document 1. */
export const projectEventTypes = Object.keys(projectEvents) as ProjectEventType[]

/** What one webhook of a project gets that nobody subscribes to. */
export const pingEventTypes = Object.keys(pingEvents) as (keyof typeof pingEvents)[]
