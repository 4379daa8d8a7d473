/** A screen that is looked at: in both schemes, on a phone and on a desk. */
export interface SeenScreen {
  /** Of its pictures. */
  readonly name: string
  readonly path: string
}

/** Every screen of the console, as the demo company fills it. */
export const seenScreens: readonly SeenScreen[] = [
  { name: 'home', path: '/' },
  { name: 'deliveries', path: '/deliveries' },
  { name: 'redeliveries', path: '/redeliveries' },
  { name: 'quotations', path: '/quotations' },
  { name: 'quotation', path: '/quotations/1' },
  { name: 'orders', path: '/orders' },
  { name: 'order', path: '/orders/1' },
  { name: 'packages', path: '/packages' },
  { name: 'packages-list', path: '/packages?view=list&status=shipped' },
  { name: 'package', path: '/packages/1' },
  { name: 'package-new', path: '/packages/new' },
  { name: 'shipments', path: '/shipments' },
  { name: 'shipment', path: '/shipments/1' },
  { name: 'shipment-new', path: '/shipments/new?package=1' },
  { name: 'transfers', path: '/transfers' },
  { name: 'transfer', path: '/transfers/1' },
  { name: 'transfer-new', path: '/transfers/new' },
  { name: 'error-groups', path: '/error_report_groups' },
  { name: 'error-group', path: '/error_report_groups/1' },
  { name: 'error-reports', path: '/error_reports' },
  { name: 'channels', path: '/channels' },
  { name: 'channel', path: '/channels/1' },
  { name: 'stock-locations', path: '/stock_locations' },
  { name: 'stock-location', path: '/stock_locations/1' },
  { name: 'stock-ledger', path: '/stock_locations/1?tab=ledger' },
  { name: 'stock-location-new', path: '/stock_locations/new' },
  { name: 'account', path: '/account' },
  { name: 'users', path: '/users' },
  { name: 'user', path: '/users/1' },
  { name: 'mails', path: '/mails' },
  { name: 'mail', path: '/mails/1' },
  { name: 'settings', path: '/settings' },
  { name: 'audit', path: '/audit' },
  { name: 'system', path: '/system' },
  { name: 'user-new', path: '/users/new' },
  { name: 'api-keys', path: '/api_keys' },
  { name: 'api-key-new', path: '/api_keys/new' },
  { name: 'organizations', path: '/organizations' },
  { name: 'flows', path: '/flows' },
  { name: 'flow', path: '/flows/1' },
]
