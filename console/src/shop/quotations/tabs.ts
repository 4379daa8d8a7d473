import type { Schema } from '#api/types.ts'
import type { Status } from './queries.ts'

/** The three ways that quotations of a buyer can stand. */
export const tabs = {
  yours: ['sending_approval_request'],
  open: ['request_approval', 'pending', 'draft'],
  done: ['approved', 'rejected', 'cancelled', 'expired'],
} as const satisfies Record<string, readonly Status[]>

export type Tab = keyof typeof tabs
export const tabNames = Object.keys(tabs) as readonly Tab[]

/** How many a tab has. */
export const countOf = (tab: Tab, counts: Schema<'QuotationCounts'>): number =>
  tabs[tab].reduce((total, status) => total + counts[status], 0)

/** The tab that is shown where the address names none: the first that has something. */
export const firstTab = (counts: Schema<'QuotationCounts'>): Tab =>
  tabNames.find((tab) => countOf(tab, counts) > 0) ?? 'open'
