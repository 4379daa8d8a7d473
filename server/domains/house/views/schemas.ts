import { Type } from 'typebox'
import { makeToWire } from '#platform/http/record-shape.ts'
import { Body, Id, NotBlank, Timestamp } from '#platform/http/schemas.ts'
import type { SavedView } from './store.ts'

const fields = {
  screen: Type.String({
    maxLength: 60,
    pattern: '^[a-z][a-z0-9_-]*$',
    description: 'The screen of the console.',
    examples: ['deliveries'],
  }),
  name: NotBlank(100, { description: 'One of its owner’s own on the screen.', examples: ['Failed today'] }),
  query: Type.String({
    maxLength: 2_000,
    description: 'The query string of the screen, without the `?`.',
    examples: ['status=failed&created_date__gte=2026-11-21'],
  }),
  is_shared: Type.Boolean({ description: 'Whether everybody in the back office has it.' }),
}
const readOnly = ['id', 'owner', 'is_mine', 'created_at', 'modified_at']

export const SavedViewRecord = Type.Object(
  {
    id: Id,
    ...fields,
    owner: Type.Object({
      id: Id,
      name: Type.String({ description: 'Their name, or their e-mail where they have said none.' }),
    }),
    is_mine: Type.Boolean({ description: 'Whether it is the caller’s own.' }),
    created_at: Timestamp,
    modified_at: Timestamp,
  },
  { title: 'SavedView', description: 'A screen with its filters, under a name.' },
)

export const NewSavedView = Body(
  { ...fields, query: Type.Optional(fields.query), is_shared: Type.Optional(fields.is_shared) },
  readOnly,
  {
    title: 'NewSavedView',
    description: 'A view to keep.',
    examples: [{ screen: 'deliveries', name: 'Failed today', query: 'status=failed', is_shared: true }],
  },
)

const { screen: _, ...changeable } = fields
export const SavedViewPatch = Body(Type.Partial(Type.Object(changeable)).properties, [...readOnly, 'screen'], {
  title: 'SavedViewPatch',
  description: 'Changes of a view; what is left out stays. It stays on its screen.',
  examples: [{ name: 'Failed this week' }],
})

export const toWire = makeToWire<SavedView, typeof SavedViewRecord, [number]>(SavedViewRecord, {
  owner: ({ userId, ownerName }) => ({ id: userId, name: ownerName }),
  is_mine: ({ userId }, reader) => userId === reader,
})
