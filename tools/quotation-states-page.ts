import { quotationStatuses, refusals, rules, type Cell, type Rule } from '../server/compose/quotation-rules.ts'

/** Where the page is kept, from the root of the project. */
export const quotationStatesFile = 'docs/quotation-states.md'

/** What may be done with a quotation, by whom and when, in Markdown, as the table says it that the API goes by. */
export const quotationStatesPage = (): string => {
  const header = `| Action | Where | Who | ${quotationStatuses.join(' | ')} |\n|---|---|---|${quotationStatuses.map(() => '---|').join('')}`
  const table = [header, ...rules.map(rowOf)].join('\n')
  const codes = Object.entries(refusals).map(([code, sentence]) => `| \`${code}\` | ${sentence} |`)
  const reasons = ['| Code | Says |', '|---|---|', ...codes].join('\n')
  return `${[introduction, table, people, reasonsHeading, reasons].join('\n\n')}\n`
}

const introduction = `# States of a quotation

<!-- Generated from server/domains/b2b/quotations/transitions.ts by \`npm run docs:quotations\`. Change it there. -->

What may be done with a quotation, by whom and in which status. A cell says the status that follows, or the code of the refusal.
Details of a quotation say the same of the caller and the moment, in \`allowed_actions\` and \`blocked_actions\`.`

const people = `- **owner**: who made it. **main**: somebody of the main division at the root of the owner's. On the storefront everybody else gets 404.
- **super**: a superuser. **staff**: another user of the back office. **time**: nobody; what happens by itself.
- Who is not named in a row gets 403. What a status does not allow is 400, with the code and the \`allowed_actions\`.
- \`edit\` is the name and the items (\`PATCH\`), products and discounts; \`assign\` the assignee and a later \`expires_at\` (\`PATCH\`);
  \`note\` an internal comment. The others are the last segments of paths.
- \`approve\` of what is approved changes nothing, and makes orders that are missing. \`send-approval-request\` of what was sent is a
  reminder, at most one an hour.`

const reasonsHeading = '## Reasons'

const rowOf = ({ action, surface, actors, cells }: Rule): string => {
  const outcomes = quotationStatuses.map((status) => outcomeOf(cells[status], status))
  return `| ${action} | ${surface} | ${actors.join(', ')} | ${outcomes.join(' | ')} |`
}

const outcomeOf = (cell: Cell, status: string): string => {
  if ('refused' in cell) return `\`${cell.refused}\``
  const to = cell.to === status ? '✓' : `→ ${cell.to}`
  return cell.unless === undefined ? to : `${to}, or \`${cell.unless}\``
}
