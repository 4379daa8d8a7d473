import { isBackOffice, type Me } from '#api/session.ts'

export interface NavigationItem {
  readonly to: string
  /** Key of its name among the texts of the shell. */
  readonly text: string
  readonly may?: (me: Me) => boolean
  /** Two keys that go there. */
  readonly keys?: string
}

export interface NavigationGroup {
  /** Key of its name; without one its items stand first. */
  readonly text?: string
  readonly items: readonly NavigationItem[]
}

const isSuperuser = (me: Me): boolean => me.is_superuser

/** The rail: what there is, and who sees it. */
export const navigation: readonly NavigationGroup[] = [
  { items: [{ to: '/', text: 'nav.home', may: () => true, keys: 'g h' }] },
  {
    text: 'nav.delivery',
    items: [
      { to: '/deliveries', text: 'nav.deliveries', keys: 'g d' },
      { to: '/subscriptions', text: 'nav.subscriptions', keys: 'g s' },
      { to: '/events', text: 'nav.events', keys: 'g e' },
      { to: '/event_types', text: 'nav.event_types' },
    ],
  },
  {
    text: 'nav.trouble',
    items: [
      { to: '/error_report_groups', text: 'nav.error_reports', keys: 'g r' },
      { to: '/channels', text: 'nav.channels' },
    ],
  },
  {
    text: 'nav.selling',
    items: [
      { to: '/quotations', text: 'nav.quotations', keys: 'g q' },
      { to: '/orders', text: 'nav.orders', keys: 'g o' },
      { to: '/exports', text: 'nav.exports' },
      { to: '/products', text: 'nav.products' },
      { to: '/prices', text: 'nav.prices' },
      { to: '/divisions', text: 'nav.divisions' },
    ],
  },
  {
    text: 'nav.fulfilment',
    items: [
      { to: '/packages', text: 'nav.packages', keys: 'g p' },
      { to: '/shipments', text: 'nav.shipments' },
      { to: '/transfers', text: 'nav.transfers' },
      { to: '/stock_locations', text: 'nav.stock' },
    ],
  },
  {
    text: 'nav.building',
    items: [
      { to: '/organizations', text: 'nav.organizations', may: () => true },
      { to: '/flows', text: 'nav.flows' },
    ],
  },
  {
    text: 'nav.house',
    items: [
      { to: '/users', text: 'nav.users', may: isSuperuser, keys: 'g u' },
      { to: '/mails', text: 'nav.mails', may: isSuperuser },
      { to: '/audit', text: 'nav.audit', may: isSuperuser },
      { to: '/settings', text: 'nav.settings' },
      { to: '/system', text: 'nav.system', may: isSuperuser },
      { to: '/api_keys', text: 'nav.api_keys', may: () => true },
    ],
  },
]

/** The groups with what somebody may see; empty ones are left out. */
export const navigationFor = (me: Me): readonly NavigationGroup[] =>
  navigation
    .map((group) => ({ ...group, items: group.items.filter((item) => (item.may ?? isBackOffice)(me)) }))
    .filter((group) => group.items.length > 0)

/** Whether a path is an item's page, or below it. A hook has its page beside the list of all subscriptions. */
export const isAt = (to: string, path: string): boolean => {
  if (to === '/subscriptions' && path.startsWith('/hooks/')) return true
  return to === '/' ? path === '/' : path === to || path.startsWith(`${to}/`)
}
