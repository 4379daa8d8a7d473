/** A list, and what a test needs to bring it into each of its states. */
export interface SeenList {
  readonly path: string
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
  { path: '/mails', api: '/api/v1/mails', empty: 'No letter has been written yet', isForSuperusers: true },
  { path: '/audit', api: '/api/v1/audit', filter: 'action=nobody-did-this', isForSuperusers: true },
]
