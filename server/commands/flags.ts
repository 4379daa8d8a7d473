import { exitCodes, CommandFailure } from './failure.ts'

// What several commands take.

export interface JsonFlag {
  readonly json?: boolean
}

/** `--json`: for programs. */
export const jsonFlag = {
  json: { kind: 'boolean', brief: 'Print JSON', optional: true, withNegated: false },
} as const

export interface ServerFlags extends JsonFlag {
  readonly server?: string
  readonly key?: string
}

export const text = (input: string): string => input

/** What a command that acts through the API takes. */
export const serverFlags = {
  ...jsonFlag,
  server: {
    kind: 'parsed',
    parse: text,
    brief: 'Address of the server (WAYBILL_SERVER; http://127.0.0.1:4000 where neither is given)',
    placeholder: 'url',
    optional: true,
  },
  key: { kind: 'parsed', parse: text, brief: 'API key or login key (WAYBILL_KEY)', placeholder: 'key', optional: true },
} as const

/** A switch that is off unless it is given. */
export const toggle = (brief: string) => ({ kind: 'boolean', brief, optional: true, withNegated: false }) as const

/** A text that may be left out. */
export const optionalText = (placeholder: string, brief: string) =>
  ({ kind: 'parsed', parse: text, brief, placeholder, optional: true }) as const

/** One argument that has to be there. */
export const oneArgument = (placeholder: string, brief: string) =>
  ({ kind: 'tuple', parameters: [{ parse: text, brief, placeholder }] }) as const

/** @throws CommandFailure unless it is a date, or a date with a time. */
export const dateOf = (input: string): Date => {
  const date = new Date(input)
  if (Number.isNaN(date.getTime()))
    throw new CommandFailure(`It must be a date like 2026-11-21 or 2026-11-21T09:30:00Z.`, exitCodes.wrongUsage)
  return date
}

/** @throws CommandFailure unless it is an integer above 0. */
export const numberOf = (input: string): number => {
  const number = Number(input)
  if (!Number.isSafeInteger(number) || number < 1)
    throw new CommandFailure('It must be a number above 0.', exitCodes.wrongUsage)
  return number
}

/** @throws CommandFailure unless it is a port, or 0 for any. */
export const portOf = (input: string): number => {
  const port = Number(input)
  if (!Number.isSafeInteger(port) || port < 0 || port > 65_535)
    throw new CommandFailure('It must be a port from 0 to 65535.', exitCodes.wrongUsage)
  return port
}
