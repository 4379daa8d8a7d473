import { Type, type TSchema } from 'typebox'
import { Nullable, OneOf, Timestamp } from '#platform/http/schemas.ts'
import { verdicts, waits, type Explanation } from '../explain/explanation.ts'
import { makeShape, type Naming, type Shape } from './shape.ts'

/**
 * Why something did or did not arrive, as answers show it.
 * @param about what the explanation is about: fields that stand before it.
 */
export const makeExplanationShape = <About extends object>(
  naming: Naming,
  title: string,
  about: { readonly [Field in keyof About]: TSchema },
): Shape<About & { readonly explanation: Explanation }> => {
  const fields = {
    ...(about as Record<string, TSchema>),
    verdict: OneOf(verdicts),
    summary: Type.String({ description: 'For people, in a sentence or two.' }),
    next: Nullable(Type.Object({ at: Nullable(Timestamp), [naming('waitsFor')]: OneOf(waits) })),
    advice: Nullable(Type.String()),
    matchedBy: Nullable(
      Type.String({ description: 'The name or pattern, of those that are listened to now, that the event matches.' }),
    ),
    unmetConditions: Nullable(
      Type.Array(Type.String(), {
        description:
          'Of an event without a delivery: the paths of the filter, as it is now, whose conditions the event does not meet. null where it meets all, or would not come without a filter either.',
      }),
    ),
  }
  const shape = makeShape<Record<string, unknown>>(naming, fields, {
    title,
    description: 'Why a delivery did or did not arrive, and what comes next.',
  })
  return {
    schema: shape.schema,
    toRecord: ({ explanation: { next, matchedBy = null, unmetConditions = null, ...rest }, ...of }) =>
      shape.toRecord({
        ...of,
        ...rest,
        matchedBy,
        unmetConditions,
        next: next && { at: next.at?.toISOString() ?? null, [naming('waitsFor')]: next.waitsFor },
      }),
  }
}
