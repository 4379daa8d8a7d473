import { useTranslation } from 'react-i18next'
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
  const { t } = useTranslation('texts')
  if (kind === null || id === null) return <span className="muted">–</span>
  const page = pages[kind]
  if (page === undefined)
    return (
      <span>
        {kind} {id}
      </span>
    )
  return <Link to={`${page}/${id}`}>{t(`object.${kind}`, { id })}</Link>
}
