import { recordOf } from '#api/queries.ts'
import type { Schema } from '#api/types.ts'

export type Quotation = Schema<'Quotation'>
export type Detail = Schema<'QuotationDetail'>
export type Difference = Schema<'QuotationDifference'>
export type Status = Quotation['status']

export const quotationOf = (id: number) => recordOf('/api/v1/my-quotations/{id}', { path: { id } })

/** What the terms came to, each time that they were sent. There are fewer than a page. */
export const revisionsOf = (id: number) =>
  recordOf('/api/v1/my-quotations/{id}/revisions', { path: { id }, query: { limit: 1000 } })

/** What differs between two revisions; it never changes. */
export const differenceOf = (id: number, revision: number, other: number) => ({
  ...recordOf('/api/v1/my-quotations/{id}/revisions/{revision}/diff/{other}', { path: { id, revision, other } }),
  staleTime: Infinity,
})

export const commentsOf = (id: number) =>
  recordOf('/api/v1/my-quotations/{id}/comments', { path: { id }, query: { limit: 1000 } })
