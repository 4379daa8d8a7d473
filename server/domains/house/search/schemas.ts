import { Type } from 'typebox'
import { OneOf } from '#platform/http/schemas.ts'

export const foundKinds = [
  'quotation',
  'order',
  'package',
  'shipment',
  'transfer',
  'stock_location',
  'product',
  'division',
  'hook',
  'delivery',
  'error_report',
  'error_report_group',
  'user',
  'organization',
  'project',
  'webhook',
  'webhook_delivery',
  'deployment',
  'distribution',
  'flow',
] as const
export type FoundKind = (typeof foundKinds)[number]

export const FoundView = Type.Object(
  {
    kind: OneOf(foundKinds),
    id: Type.String({ description: 'As its own records have it, as a text.' }),
    title: Type.String({ examples: ['Q-2026-000007'] }),
    subtitle: Type.String({ description: 'What tells it from others; may be empty.', examples: ['Spring order'] }),
    status: Type.Optional(Type.String({ description: 'Of a delivery.', examples: ['failed'] })),
    path: Type.String({
      description: 'Where the console shows it.',
      examples: ['/quotations/7'],
    }),
  },
  { title: 'Found', description: 'Something that a search has found.' },
)

export const SearchQuery = Type.Object({
  q: Type.String({
    minLength: 1,
    maxLength: 200,
    description:
      'An id, a number (of a quotation, an order, a package, a transfer, a shipment), a `webhook-id`, an e-mail, a sku, a code or the ' +
      'whole URL of a hook; or at least three letters of a name.',
    examples: ['Q-2026-000007'],
  }),
})
