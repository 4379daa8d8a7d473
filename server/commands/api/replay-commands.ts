import { buildCommand, buildRouteMap } from '@stricli/core'
import { dateOf, numberOf, oneArgument, optionalText, serverFlags, toggle, type ServerFlags } from '../flags.ts'
import type { ReplayManyFlags } from './replay.ts'

const many = buildCommand<ReplayManyFlags>({
  loader: async () => (await import('./replay.ts')).replayDeliveries,
  parameters: {
    flags: {
      ...serverFlags,
      status: {
        kind: 'enum',
        values: ['failed', 'held', 'delivered', 'cancelled'],
        brief: 'Which (failed without it)',
        optional: true,
      },
      hook: { kind: 'parsed', parse: numberOf, brief: 'Of this hook only', placeholder: 'id', optional: true },
      type: optionalText('type', 'Of this type of events only'),
      since: {
        kind: 'parsed',
        parse: dateOf,
        brief: 'Made at this time or later',
        placeholder: 'time',
        optional: true,
      },
      until: { kind: 'parsed', parse: dateOf, brief: 'Made before this time', placeholder: 'time', optional: true },
      perSecond: {
        kind: 'parsed',
        parse: numberOf,
        brief: 'Queued in a second at most',
        placeholder: 'number',
        optional: true,
      },
      force: toggle('Also what has arrived'),
      dryRun: toggle('Count them, and send nothing'),
    },
  },
  docs: { brief: 'Send the deliveries again that a filter chooses' },
})

/** waybill replay: what was sent is sent again, with the same webhook-id. */
export const replay = buildRouteMap({
  routes: {
    event: buildCommand<ServerFlags & { readonly hook?: readonly number[] }, [string]>({
      loader: async () => (await import('./replay.ts')).replayEvent,
      parameters: {
        flags: {
          ...serverFlags,
          hook: {
            kind: 'parsed',
            parse: numberOf,
            brief: 'To this hook only; more than once for several',
            placeholder: 'id',
            optional: true,
            variadic: true,
          },
        },
        positional: oneArgument('id', 'Id of the event'),
      },
      docs: { brief: 'Send an event again to every hook that listens' },
    }),
    delivery: buildCommand<ServerFlags, [string]>({
      loader: async () => (await import('./replay.ts')).replayDelivery,
      parameters: { flags: serverFlags, positional: oneArgument('id', 'Id of the delivery') },
      docs: { brief: 'Send one delivery again at once, and wait for the answer' },
    }),
    deliveries: many,
  },
  docs: { brief: 'Send again' },
})
