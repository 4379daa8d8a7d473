import type { Schema } from '#api/types.ts'
import { placeTypeOf, type PlaceType } from './sentence.ts'

/** A place that a channel named and that is not known. */
export interface Place {
  readonly type: PlaceType
  /** What the channel calls it, for programs. */
  readonly code: string
  /** Its name where the channel has one, else its code. */
  readonly name: string
}

/** The place that a report is about. Its request is the body that the channel sent. @param model kind of the object of the report */
export const placeOf = (
  { raw_request: raw }: Pick<Schema<'ErrorReport'>, 'raw_request'>,
  model: string | undefined,
): Place | undefined => {
  const type = placeTypeOf(model)
  const body = type === undefined ? undefined : parsed(raw)
  if (type === undefined || typeof body !== 'object' || body === null) return undefined
  const { remote_code: code, name } = body as Readonly<Record<string, unknown>>
  if (typeof code !== 'string' && typeof code !== 'number') return undefined
  return { type, code: String(code), name: typeof name === 'string' && name !== '' ? name : String(code) }
}

const parsed = (text: string | null): unknown => {
  try {
    return JSON.parse(text ?? '') as unknown
  } catch {
    // Somebody reported it as any other failure.
    return undefined
  }
}
