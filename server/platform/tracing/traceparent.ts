/** What a `traceparent` says (W3C Trace Context, version 00). */
export interface TraceIds {
  readonly traceId: string
  readonly spanId: string
  /** 1: somebody keeps the trace. */
  readonly traceFlags: number
}

const form = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/

/** @returns undefined for what is no `traceparent`: then a trace begins. */
export const parseTraceparent = (text: string | null | undefined): TraceIds | undefined => {
  const [, traceId, spanId, flags] = form.exec(text ?? '') ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1 }
}

export const traceparentOf = ({ traceId, spanId, traceFlags }: TraceIds): string =>
  `00-${traceId}-${spanId}-0${traceFlags & 1}`
