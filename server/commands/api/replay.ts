import { CommandFailure } from '../failure.ts'
import type { ServerFlags } from '../flags.ts'
import { say, sayJson } from '../output.ts'
import { clientOf } from './client.ts'

interface LoggedEvent {
  readonly hooks: readonly { readonly hook_event: number | null }[]
}

/** waybill replay event ID: to every hook of the caller that listens to it now. */
export const replayEvent = async (
  flags: ServerFlags & { readonly hook?: readonly number[] },
  id: string,
): Promise<void> => {
  const client = clientOf(flags)
  const { hooks } = await client.ask<LoggedEvent>('GET', `/api/v1/events/${encodeURIComponent(id)}/`)
  const delivery = hooks.find(({ hook_event: there }) => there !== null)?.hook_event
  if (delivery === undefined || delivery === null)
    throw new CommandFailure(
      `Event ${id} was delivered to no hook of yours. A hook gets what it missed by its own recovery: POST /whisperer/hooks/{id}/recover/.`,
    )
  const body = flags.hook === undefined ? {} : { hooks: flags.hook }
  const result = await client.ask<{ queued: number; hooks: number[] }>(
    'POST',
    `/whisperer/hook_events/${delivery}/replay/`,
    body,
  )
  if (flags.json === true) return sayJson(result)
  say(`Event ${id} is delivered again to ${result.queued} hooks: ${result.hooks.join(', ')}.`)
}

/** waybill replay delivery ID: at once, and waits for the receiver's answer. */
export const replayDelivery = async (flags: ServerFlags, id: string): Promise<void> => {
  const path = `/whisperer/hook_events/${encodeURIComponent(id)}/retry/`
  const result = await clientOf(flags).ask<{ response_status: number | null }>('POST', path)
  if (flags.json === true) return sayJson(result)
  say(`Delivery ${id} was taken by its receiver (${result.response_status}).`)
}

export interface ReplayManyFlags extends ServerFlags {
  readonly status?: 'delivered' | 'failed' | 'held' | 'cancelled'
  readonly hook?: number
  readonly type?: string
  readonly since?: Date
  readonly until?: Date
  readonly perSecond?: number
  readonly force?: boolean
  readonly dryRun?: boolean
}

/** waybill replay deliveries: those that a filter chooses, as a job of the server. */
export const replayDeliveries = async (flags: ReplayManyFlags): Promise<void> => {
  const filter = {
    status: flags.status ?? 'failed',
    webhook: flags.hook,
    event_type: flags.type,
    created_date__gte: flags.since?.toISOString(),
    created_date__lt: flags.until?.toISOString(),
  }
  const result = await clientOf(flags).ask<{ id?: number; count?: number; total?: number }>(
    'POST',
    '/whisperer/hook_events/retry/',
    {
      filter,
      force: flags.force === true,
      per_second: flags.perSecond,
      dry_run: flags.dryRun === true,
      start: flags.dryRun !== true,
    },
  )
  if (flags.json === true) return sayJson(result)
  if (flags.dryRun === true) say(`${result.count} deliveries would be sent again.`)
  else say(`${result.total} deliveries are sent again (job ${result.id}, GET /whisperer/redeliveries/${result.id}/).`)
}
