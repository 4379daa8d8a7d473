import { Link } from '#ui/link.tsx'
import type { Delivery } from './outcome.ts'

/** Where objects of each kind have their page. */
const pages: Readonly<Record<string, string>> = {
  package: '/packages',
  shipment: '/shipments',
  transfer: '/transfers',
  stocklocation: '/stock_locations',
  quotation: '/quotations',
}

/** What an event is about, by kind and id, linked to its page where it has one. */
export const About = ({ delivery }: { readonly delivery: Pick<Delivery, 'object_type' | 'object_id'> }) => {
  const { object_type: kind, object_id: id } = delivery
  if (kind === null || id === null) return <span className="muted">–</span>
  const page = pages[kind]
  const name = `${kind} ${id}`
  return page === undefined ? <span>{name}</span> : <Link to={`${page}/${id}`}>{name}</Link>
}

/** The receiver, by host and path; of a removed hook by its id. */
export const Receiver = ({ hook }: { readonly hook: Delivery['webhook'] }) => (
  <Link to={`/hooks/${hook.id}`}>{receiverName(hook)}</Link>
)

export const receiverName = ({ id, target_url: url }: Pick<Delivery['webhook'], 'id' | 'target_url'>): string => {
  if (url === null) return `#${id}`
  const { host, pathname } = new URL(url)
  return pathname === '/' ? host : `${host}${pathname}`
}
