/** A list, and what a test needs to bring it into each of its states. */
export interface SeenList {
  readonly path: string
  /** Where the screen is a board otherwise. */
  readonly view?: string
  /** What it asks. */
  readonly api: string
  /** A filter that no row has; none where the list has no filter that any text fits. */
  readonly filter?: string
  /** What it says on an installation that has nothing of it yet; none where there is always something. */
  readonly empty?: string
  /** Whether the demo company has nothing of it either. */
  readonly isEmptyInDemo?: boolean
  /** Whether staff is told that it is for superusers alone. */
  readonly isForSuperusers?: boolean
  /** Whether a buyer may see it too. */
  readonly isForEverybody?: boolean
}

export const seenLists: readonly SeenList[] = [
  {
    path: '/deliveries',
    api: '/whisperer/hook_events',
    filter: 'event_type=no.such.event',
    empty: 'Nothing was delivered yet',
  },
  {
    path: '/redeliveries',
    api: '/whisperer/redeliveries',
    empty: 'Nothing was sent again in bulk yet',
    isEmptyInDemo: true,
  },
  { path: '/subscriptions', api: '/api/v1/subscriptions', filter: 'q=nobody-listens', empty: 'Nothing listens yet' },
  { path: '/events', api: '/api/v1/events', filter: 'type=no.such.event', empty: 'Nothing has happened yet' },
  {
    path: '/error_report_groups',
    api: '/api/v1/error_report_groups',
    filter: 'q=unheard-of',
    empty: 'Nothing is open',
  },
  { path: '/error_reports', api: '/api/v1/error_reports', filter: 'q=unheard-of' },
  { path: '/users', api: '/api/v1/users', filter: 'email=nobody-has-this', isForSuperusers: true },
  {
    path: '/packages',
    view: 'view=list',
    api: '/api/v1/packages',
    filter: 'sku=NO-SUCH-SKU',
    empty: 'No package yet',
  },
  {
    path: '/shipments',
    view: 'view=list',
    api: '/api/v1/shipments',
    filter: 'carrier=Nobody',
    empty: 'No shipment yet',
  },
  {
    path: '/transfers',
    view: 'view=list',
    api: '/api/v1/transfers',
    filter: 'sku=NO-SUCH-SKU',
    empty: 'No transfer yet',
  },
  { path: '/stock_locations', api: '/api/v1/stock_locations', filter: 'code=NOWHERE', empty: 'No location yet' },
  { path: '/quotations', api: '/api/v1/quotations', filter: 'name=unheard-of', empty: 'No quotation yet' },
  { path: '/orders', api: '/api/v1/orders', filter: 'number=unheard-of', empty: 'No order yet' },
  {
    path: '/exports',
    api: '/api/v1/exports',
    filter: 'status=failed',
    empty: 'No export yet',
  },
  { path: '/products', api: '/api/v1/products', filter: 'q=unheard-of', empty: 'No product yet' },
  { path: '/prices', api: '/api/v1/prices', filter: 'name=unheard-of', empty: 'No price of a division yet' },
  { path: '/divisions', api: '/api/v1/divisions', filter: 'name=unheard-of', empty: 'No division yet' },
  { path: '/channels', api: '/api/v1/channels', empty: 'There is no channel yet' },
  { path: '/event_types', api: '/api/v1/event_types', filter: 'name=no.such.event', empty: 'No event of your own yet' },
  { path: '/flows', api: '/api/nifi/flows', empty: 'There is no flow' },
  {
    path: '/organizations',
    api: '/api/v1/organizations',
    empty: 'You are in no organization',
    isForEverybody: true,
  },
  { path: '/api_keys', api: '/api/v1/auth/api-keys', empty: 'You have no API key', isForEverybody: true },
  {
    path: '/mails',
    api: '/api/v1/mails',
    filter: 'to=nobody@lodos.example',
    empty: 'No letter has been written yet',
    isForSuperusers: true,
  },
  { path: '/audit', api: '/api/v1/audit', filter: 'action=nobody-did-this', isForSuperusers: true },
]

/** The address of a list, filtered or not. */
export const addressOf = ({ path, view }: SeenList, filter?: string): string =>
  path +
  [view, filter]
    .filter((part) => part !== undefined)
    .map((part, at) => (at === 0 ? '?' : '&') + part)
    .join('')
