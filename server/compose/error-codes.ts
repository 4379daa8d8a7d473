import { quotationLifecycle } from '#domains/b2b/quotations/index.ts'
import { packageLifecycle, transferLifecycle } from '#domains/order-management/index.ts'

/** Codes of broken rules that no life cycle has, besides those that any request can break. docs/errors.md says what each means. */
const ofUseCases = [
  'already_open',
  'already_resolved',
  'attempt_under_way',
  'bad_request',
  'basket_empty',
  'basket_full',
  'check_too_long',
  'catalog_in_use',
  'channel_in_use',
  'csv_unreadable',
  'delivery_ended',
  'empty_body',
  'event_id_reused',
  'event_type_used',
  'flow_inactive',
  'flow_inbound',
  'hook_inactive',
  'idempotency_key_in_use',
  'idempotency_key_reused',
  'insufficient_stock',
  'last_superuser',
  'location_inactive',
  'mixed_currencies',
  'not_retryable',
  'order_created',
  'package_takes_no_shipment',
  'package_takes_no_transfer',
  'parse_error',
  'quotation_full',
  'quotation_order_not_created',
  'quotation_order_packed',
  'quotation_too_large',
  'recovery_running',
  'redelivery_ended',
  'run_due',
  'run_ended',
  'run_succeeded',
  'run_under_way',
  'schema_unusable',
  'shipment_exists',
  'shipment_move_not_allowed',
  'stale_revision',
  'too_many_drafts',
  'too_many_event_types',
  'under_minimum',
]

/** What `code` of a broken rule can be. */
export const errorCodes: readonly string[] = [
  ...new Set([
    ...ofUseCases,
    ...[quotationLifecycle, packageLifecycle, transferLifecycle].flatMap(({ conditions }) => Object.keys(conditions)),
  ]),
].toSorted()
