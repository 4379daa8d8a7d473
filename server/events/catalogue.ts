import type { Static } from 'typebox'
import { orderManagementEvents } from './order-management.ts'
import { webhookEvents } from './webhooks.ts'

/** Every event there is: name → what it means and carries. */
export const catalogue = { ...orderManagementEvents, ...webhookEvents }

export type EventType = keyof typeof catalogue
export type EventData<T extends EventType> = Static<(typeof catalogue)[T]['schema']>

export const eventTypes = Object.keys(catalogue).toSorted() as EventType[]

export const isEventType = (name: string): name is EventType => Object.hasOwn(catalogue, name)
