/** What holds for the whole API, which the description says once. */
export const introduction = `The back office of a B2B seller, with a webhook delivery engine at its core.

- **Paths** are the same with and without a slash at the end. Times are RFC 3339 in UTC, amounts are decimal strings.
- **Credentials** go into \`Authorization\`: \`Bearer\` for access tokens, \`Token\` or \`Api-Key\` for keys. Browsers can keep a key in a cookie instead: \`POST /api/v1/auth/session/\`. Each operation says whom it is for.
- **Bodies** are JSON. Fields that an operation does not know are refused, but whatever was read of a record may be sent back with a change: its other fields are ignored.
- **Lists** have \`page\` and \`limit\`. \`X-Total-Count\` says how many records fit, \`Link\` (RFC 8288) where the other pages are. A boolean in a URL is \`true\` or \`false\`; \`True\`, \`False\`, \`1\` and \`0\` are understood too. Parameters that an operation does not know are refused.
- **Repeating.** A \`POST\` with an \`Idempotency-Key\` can be sent again when its answer got lost: it gets the first answer, with \`idempotency-replayed: true\`.
- **Errors** are JSON. Wrong fields are named with messages; a broken rule has a sentence in \`non_field_errors\`, a \`code\` for programs, and often \`allowed_actions\`; all else has a sentence in \`detail\`. Organizations and flows have shapes of their own. Checks come in the order 401, 403, 400, 404. Another method of a path is 405 with \`Allow\`.`

const integer = (description: string) => ({ description, schema: { type: 'integer', minimum: 0 } })
const text = (description: string) => ({ description, schema: { type: 'string' } })
const url = (description: string) => ({ description, schema: { type: 'string', format: 'uri-reference' } })

/** Headers of answers, by their names as they are referred to. */
export const answerHeaders = {
  'X-Request-Id': {
    description: 'Names the request in the log of the server.',
    schema: { type: 'string', format: 'uuid' },
  },
  'X-Total-Count': integer('Records on all pages.'),
  'X-Total-Count-Relation': {
    description: 'There when counting ended early: at least as many as `X-Total-Count`.',
    schema: { type: 'string', enum: ['gte'] },
  },
  Link: text('Other pages (RFC 8288): `first`, `prev`, `next`, `last`. Absent when the URL is very long.'),
  Location: url('Where the record is read.'),
  ETag: text('The version of the record, for `If-Match`.'),
  'Retry-After': integer('Seconds after which to try again.'),
  'RateLimit-Limit': integer('Requests that are allowed at a time.'),
  'RateLimit-Remaining': integer('How many of them are left.'),
  'RateLimit-Reset': integer('Seconds until there are more.'),
  'WWW-Authenticate': text('How to authenticate.'),
  'Idempotency-Replayed': {
    description: 'There when this is the answer to an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', enum: ['true'] },
  },
} as const
export type AnswerHeader = keyof typeof answerHeaders

/** Tags of the operations, in the order of the reference. */
export const tags = Object.entries({
  Authentication: 'Logging in and out, and API keys.',
  Users: 'The people who can log in.',
  'E-mail': 'Messages to people, and what became of them.',
  Overview: 'What there is to know first.',
  'Live changes': 'What changes, as it happens, for whoever shows it.',
  Search: 'Finding anything by its id, number or name.',
  Audit: 'Who did what.',
  System: 'How the installation is.',
  'Saved views': 'Screens of the console with their filters, under a name.',
  'Order-management hooks':
    'Webhooks of the back office: subscriptions, the log of deliveries, and sending again. ' +
    'Bodies can also be forms (`application/x-www-form-urlencoded`, `multipart/form-data`), whose fields for objects hold JSON.',
  Subscriptions: 'What gets deliveries, of whatever kind.',
  Events: 'Raising events from a system of your own, and looking at what happened.',
  'Stock locations': 'Places that hold stock.',
  Stock: 'How much of a product is where.',
  Packages: 'Packing and shipping what was ordered.',
  Shipments: 'How packages travel.',
  Transfers: 'Stock on its way from one location to another.',
  Organizations: 'Who builds apps together.',
  'Organization members': 'The people of an organization, and their roles.',
  Projects: 'The apps of an organization.',
  Deployments: 'Builds and code pushes of an app.',
  Distributions: 'Apps on their way to the stores.',
  'Project webhooks': 'Webhooks of a project: settings, the log of deliveries, and sending again.',
  Flows: 'Data that is exchanged with other systems byte for byte.',
  Channels: 'Where products are sold.',
  'Error reports': 'Failures, one by one: what was tried, what came of it, and trying again.',
  'Error report groups': 'Reports of one cause.',
  'Place mappings': 'Names of places that channels use, and the places that they mean.',
  Settings: 'How quotations work.',
  Divisions: 'The companies that buy, and their branches.',
  Storefront: 'What a buyer sees of divisions and products.',
  Products: 'What is sold.',
  Prices: 'What divisions pay for products, for some time.',
  Baskets: 'What a buyer collects for a quotation.',
  'My quotations': 'Quotations as their buyers see them.',
  Quotations: 'Quotations as the back office sees them.',
  'Quotation orders': 'Orders that approved quotations become.',
  Exports: 'Spreadsheets of quotations.',
  Operations: 'Whether the server works.',
}).map(([name, description]) => ({ name, description }))
