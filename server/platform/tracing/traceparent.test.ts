import { expect, test } from 'vitest'
import { parseTraceparent, traceparentOf } from './traceparent.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const spanId = '00f067aa0ba902b7'

test.each(['00', '01'])('a traceparent is continued as it was, with flags %s', (flags) => {
  const text = `00-${traceId}-${spanId}-${flags}`
  expect(traceparentOf(parseTraceparent(text) ?? { traceId: '', spanId: '', traceFlags: 0 })).toBe(text)
})

test.each([
  undefined,
  null,
  '',
  traceId,
  `01-${traceId}-${spanId}-01`,
  `00-${'0'.repeat(32)}-${spanId}-01`,
  `00-${traceId}-${'0'.repeat(16)}-01`,
  `00-${traceId.toUpperCase()}-${spanId}-01`,
  `00-${traceId}-${spanId}-01-more`,
])('%s is none, so a trace begins', (text) => {
  expect(parseTraceparent(text)).toBeUndefined()
})
