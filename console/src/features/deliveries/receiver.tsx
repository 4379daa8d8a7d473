import { Link } from '#ui/link.tsx'
import { shortUrl } from '#ui/short-url.ts'
import type { Delivery } from './outcome.ts'

/** The receiver, by host and path; of a removed hook by its id. */
export const Receiver = ({ hook }: { readonly hook: Delivery['webhook'] }) => (
  <Link to={`/hooks/${hook.id}`}>{receiverName(hook)}</Link>
)

export const receiverName = ({ id, target_url: url }: Pick<Delivery['webhook'], 'id' | 'target_url'>): string =>
  url === null ? `#${id}` : shortUrl(url)
