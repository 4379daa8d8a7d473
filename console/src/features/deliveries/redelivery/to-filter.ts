import type { Schema } from '#api/types.ts'
import type { Matching } from '../use-histogram.ts'

type Filter = Schema<'HookEventFilter'>

const numbers = new Set(['webhook', 'content_type', 'response_http_status'])
const booleans = new Set(['delivered', 'waiting_for_earlier'])

/** The filters of the list as a body has them: numbers and booleans are no texts there. */
export const toFilter = (matching: Matching): Filter =>
  Object.fromEntries(Object.entries(matching).map(([name, value]) => [name, typed(name, value)]))

const typed = (name: string, value: Matching[string]): unknown => {
  if (numbers.has(name)) return Number(value)
  return booleans.has(name) ? value === 'true' : value
}
