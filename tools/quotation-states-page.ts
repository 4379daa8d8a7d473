import { quotationLifecycle } from '../server/compose/for-pages.ts'

const { conditions, rules, statuses } = quotationLifecycle
type Rule = (typeof rules)[number]
type Outcome = Rule['from']['draft']

/** Where the page is kept, from the root of the project. */
export const quotationStatesFile = 'docs/quotation-states.md'

/** What may be done with a quotation, by whom and when, in Markdown, as the table says it that the API goes by. */
export const quotationStatesPage = (): string => {
  const header = `| Action | Where | Who | ${statuses.join(' | ')} |\n|---|---|---|${statuses.map(() => '---|').join('')}`
  const table = [header, ...rules.map(rowOf)].join('\n')
  const codes = Object.entries(conditions).map(([code, { says }]) => `| \`${code}\` | ${says} |`)
  const codeTable = ['| Code | Says |', '|---|---|', ...codes].join('\n')
  return `${[introduction, table, people, reasonsHeading, codeTable].join('\n\n')}\n`
}

const introduction = `# States of a quotation

<!-- Generated from server/domains/b2b/quotations/rules/transitions.ts by \`npm run docs:quotations\`. Change it there. -->

What may be done with a quotation, by whom and in which status. A cell says the status that follows, or the code of the refusal.
Details of a quotation say the same of the caller and the moment, in \`allowed_actions\` and \`blocked_actions\`. How to get from a
basket to orders, step by step: [quotations.md](quotations.md).`

const people = `**Who is who.** On the storefront (\`/api/v1/my-quotations/{id}/…\`) the **owner** is the user who made the quotation, and **main** is every
user whose \`division\` is the main division, without parent, of the tree that the quotation's division is in now (that is the one that its
owner had when it was made). Who is of the main division and made it is both, and rejects it as its owner; for everybody else it is not
there (404). In the back office
(\`/api/v1/quotations/{id}/…\`) **super** is every user with \`is_superuser\`, and **staff** a user with \`is_staff\` alone. **time** is nobody:
what happens by itself, at \`expires_at\`. Whoever is not named in a row gets 403. What a status does not allow is 400, with the code and
the \`allowed_actions\`.

An action is the last segment of its path, which is sent a \`POST\`. These have other ones, and are of the back office:

| Action | Request | What |
|---|---|---|
| edit | \`PATCH /api/v1/quotations/{id}/\` with \`name\` or \`items\` | its name; prices, quantities and divisions of its items |
| edit | \`POST …/{id}/products/\`, \`DELETE …/{id}/products/{item_id}/\` | adds a product, removes an item |
| edit | \`POST …/{id}/discounts/\`, \`DELETE …/{id}/discounts/{discount_id}/\` | gives a discount, takes it back |
| assign | \`PATCH /api/v1/quotations/{id}/\` with \`assignee\` or \`expires_at\` | who works on it; a later time to expire (of a draft a superuser sets any) |
| note | \`POST …/{id}/comments/\` with \`"internal": true\` | a comment that only the back office sees |

\`comment\` is \`POST …/{id}/comments/\`, on both surfaces. \`expire\` is no request.

- \`approve\` of what is approved changes nothing, and makes orders that are missing. \`send-approval-request\` of what was sent is a
  reminder, at most one an hour (429, \`next_reminder_at\`); every other is a revision of its own. \`reject\` and \`cancel\` take a \`reason\`.
- \`net_amount_zero\`: \`approve\` takes \`{"confirm_zero": true}\`.
- \\*: not while its division, or a division or product in it, is switched off, or such a division was moved to another company:
  \`division_inactive\`, \`product_inactive\`, with the names.
- \`too_many_orders\`: an order has at most as many units as \`B2B_BULK_PROCESSES_BATCH_SIZE\` says, or said when it was approved, and
  10,000 orders of a quotation can be made. \`owner_consent_required\`: only where the setting \`QUOTATION_OWNER_CONSENT_REQUIRED\` demands it,
  and not for terms that are no worse than those that the owner asked for or approved last.
- What needs a new \`expires_at\` gets it with \`set-as-draft\`, or, of a draft, with \`PATCH\`.`

const reasonsHeading = '## Reasons'

const rowOf = ({ action, surface, actors = [], from }: Rule): string => {
  const outcomes = statuses.map((status) => outcomeOf(from[status], status))
  return `| ${action} | ${surface} | ${actors.join(', ')} | ${outcomes.join(' | ')} |`
}

/** They would be in too many fields of the table. */
const switchedOff: ReadonlySet<string> = new Set(['division_inactive', 'product_inactive'])

const outcomeOf = (outcome: Outcome, status: string): string => {
  if ('refused' in outcome) return `\`${outcome.refused}\``
  const to = outcome.to === status ? '✓' : `→ ${outcome.to}`
  const { conditions: named = [] } = outcome
  const codes = named.filter((code) => !switchedOff.has(code))
  const star = named.some((code) => switchedOff.has(code)) ? ' \\*' : ''
  return [to + star, ...codes.map((code) => `\`${code}\``)].join(', or ')
}
