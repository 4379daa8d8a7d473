import type { DeliveryFilter } from '#delivery/log/delivery-filter.ts'
import { deliveryIdOf } from '#delivery/tables/webhook-id.ts'
import { createdRange } from './created-date.ts'
import { canonicalEventName } from './event-name.ts'
import { contentTypeName } from './hook-event-record.ts'
import type { HookEventFilter } from './hook-event-schemas.ts'

/**
 * The deliveries that a filter means, of the hooks that its sender may see.
 * @param path of the filters in the request, with a dot at its end.
 * @throws AppError 400 that names a filter which is not valid.
 */
export const deliveryFilterOf = (
  filter: Omit<HookEventFilter, 'delivered'> & { readonly delivered?: boolean | undefined },
  visible: readonly number[],
  installationId: string,
  path = '',
): DeliveryFilter => {
  const { event_type: name, status, reason, uuid, webhook, delivered } = filter
  const { content_type: contentType, object_id: objectId, response_http_status: lastStatus } = filter
  return {
    subscriptionIds: webhook === undefined ? visible : visible.filter((id) => id === webhook),
    // What names nothing must match nothing: no delivery has the id 0, no object an empty type.
    id: uuid === undefined ? undefined : (deliveryIdOf(uuid, installationId) ?? 0),
    objectType: contentType === undefined ? undefined : (contentTypeName(contentType) ?? ''),
    eventType: name === undefined ? undefined : canonicalEventName(name.toLowerCase()),
    statuses: status === undefined ? undefined : [status],
    delivered,
    lastStatus,
    lastReason: reason,
    objectId,
    ...createdRange(filter, path),
  }
}
