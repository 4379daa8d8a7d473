/**
 * The part of a principal in a quotation (quotations, "Words"): who made it; a user of the main division at the root of the
 * owner's; a superuser; another user of the back office. `time` is nobody: what happens by itself.
 */
export const actors = ['owner', 'main', 'super', 'staff', 'time'] as const
export type Actor = (typeof actors)[number]

export type Surface = 'storefront' | 'admin'

/** What can be done with a quotation; most are also the last segments of paths. */
export type QuotationAction =
  | 'approve-pending-request'
  | 'cancel'
  | 'reject'
  | 'set-as-draft'
  | 'edit'
  | 'send-approval-request'
  | 'approve'
  | 'create-orders'
  | 'expire'
  | 'comment'
  | 'note'
  | 'assign'
  | 'duplicate'

/** Where quotations are on each surface. */
export const pathOf: Readonly<Record<Surface, string>> = {
  storefront: '/api/v1/my-quotations',
  admin: '/api/v1/quotations',
}
