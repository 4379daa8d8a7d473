import { Link } from './link.tsx'

interface EventObjectProps {
  readonly of: { readonly object_type: string | null; readonly object_id: string | null }
}

/** Where objects of each kind have their page. */
const pages: Readonly<Record<string, string>> = {
  package: '/packages',
  shipment: '/shipments',
  transfer: '/transfers',
  stocklocation: '/stock_locations',
  quotation: '/quotations',
}

/** What an event is about, by kind and id, linked to its page where it has one. */
export const EventObject = ({ of: { object_type: kind, object_id: id } }: EventObjectProps) => {
  if (kind === null || id === null) return <span className="muted">–</span>
  const page = pages[kind]
  const name = `${kind} ${id}`
  return page === undefined ? <span>{name}</span> : <Link to={`${page}/${id}`}>{name}</Link>
}
