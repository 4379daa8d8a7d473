import type { Lifecycle, Move, Terms } from '#platform/lifecycle/lifecycle.ts'
import {
  packageLifecycle,
  releaseLifecycles,
  shipmentLifecycle,
  transferLifecycle,
} from '../server/compose/for-pages.ts'

/** Where the page is kept, from the root of the project. */
export const statesFile = 'docs/states.md'

/** What can be done with everything that has a life cycle, in Markdown, as the tables say it that the API goes by. */
export const statesPage = (): string =>
  `${[
    introduction,
    section('Packages', packageLifecycle, ({ stock, needs, shipment }) => [
      `stock: ${stock}`,
      ...(needs === undefined ? [] : [`needs a ${needs}`]),
      ...(shipment === undefined ? [] : [`shipment → ${shipment}`]),
    ]),
    packages,
    section('Transfers', transferLifecycle, ({ stock, needs, shipment }) => [
      `stock: ${stock}`,
      ...(needs === undefined ? [] : [`needs a ${needs}`]),
      `shipment → ${shipment}`,
    ]),
    transfers,
    section('Shipments', shipmentLifecycle),
    shipments,
    section('Deployments and distributions', releaseLifecycles.deployment),
    releases,
  ].join('\n\n')}\n`

const introduction = `# States

<!-- Generated from the tables of the life cycles (\`lifecycle.ts\` of each slice) by \`npm run docs:states\`. Change them there. -->

What can be done in which status. A cell says the status that follows, and what the move brings about or needs; \`–\` is refused
with 400. Quotations have a page of their own, with reasons and with who may do what: [quotation-states.md](quotation-states.md).
The states of a flow's runs follow from their deliveries: [flows.md](flows.md).`

const packages = `An action is the last segment of its path, which is sent a \`POST\`. \`ship\` is refused with \`shipment_required\` without a shipment,
everything else with \`package_move_not_allowed\`. Each move raises \`package.status.<status>\`. *settle*: goods that were sold are restocked;
goods that never left are released; \`write_off\` takes them off the books after that.`

const transfers = `Refusals are \`transfer_move_not_allowed\`. Each move raises \`transfer.status.<status>\`. *send* and *arrive* book the goods out of the
source and into the destination; *recall* restocks them at the source, and \`write_off\` takes them off the books after that.`

const shipments = `An action is the status that \`PATCH\` sets. \`package\` is the package that is shipped or cancelled: a shipment leaves with it. The shipment of a
transfer goes along with the transfer, as its table says. Refusals are \`shipment_move_not_allowed\`.`

const releases = `An action is the status that \`PATCH\` sets. A status that nothing follows is final.`

const section = <T extends Terms>(
  title: string,
  { statuses, rules }: Lifecycle<T>,
  effectsOf: (move: Move<T>) => readonly string[] = () => [],
): string => {
  const hasActors = rules.some(({ actors }) => actors !== undefined)
  const columns = ['Action', ...(hasActors ? ['Who'] : []), ...statuses]
  const rows = rules.map(({ action, actors = [], from }) => {
    const outcomes = statuses.map((status: T['status']) => {
      const outcome = from[status]
      return 'refused' in outcome ? '–' : [`→ ${outcome.to}`, ...effectsOf(outcome as Move<T>)].join('; ')
    })
    return [action, ...(hasActors ? [actors.join(', ')] : []), ...outcomes]
  })
  const lines = [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  return [`## ${title}`, lines.join('\n')].join('\n\n')
}
