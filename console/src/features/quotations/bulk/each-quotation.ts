import { ApiError } from '#api/api-error.ts'
import { call } from '#api/queries.ts'
import type { RowOf, Schema } from '#api/types.ts'
import type { Told } from '#ui/use-each.ts'

export type Row = RowOf<'/api/v1/quotations'>

/** The version that the list shows, as its `ETag` says it: nothing happens when it is another by now. */
const asShown = ({ version }: Row): string => `"${version}"`

/** A quotation that was changed since the list was read, as it is now. */
class Changed extends ApiError {
  readonly now: Schema<'QuotationDetail'>

  constructor(refusal: ApiError, now: Schema<'QuotationDetail'>) {
    super(refusal.message, refusal)
    this.now = now
  }
}

/** Does something to a quotation as the list shows it. @throws what it is now when it was changed meanwhile */
const onlyAsShown = async (row: Row, act: (ifMatch: string) => Promise<unknown>): Promise<void> => {
  try {
    await act(asShown(row))
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 412) throw error
    throw new Changed(error, await call('get', '/api/v1/quotations/{id}', { path: { id: row.id } }))
  }
}

export const reject = (row: Row, reason: string): Promise<void> =>
  onlyAsShown(row, (ifMatch) =>
    call('post', '/api/v1/quotations/{id}/reject', {
      path: { id: row.id },
      ifMatch,
      body: reason === '' ? {} : { reason },
    }),
  )

export const assign = (row: Row, assignee: number | null): Promise<void> =>
  onlyAsShown(row, (ifMatch) =>
    call('patch', '/api/v1/quotations/{id}', { path: { id: row.id }, ifMatch, body: { assignee } }),
  )

/** What became of a quotation: done, decided by somebody else, changed by somebody else, or refused. */
export type Ending = 'done' | 'decided' | 'changed' | 'refused'

export const endingOf = ({ row, error }: Told<Row>): Ending => {
  if (error === undefined) return 'done'
  if (!(error instanceof Changed)) return 'refused'
  return error.now.status === row.status ? 'changed' : 'decided'
}

/** The status that it has by now, of one that was decided meanwhile. */
export const statusNow = ({ row, error }: Told<Row>): Row['status'] =>
  error instanceof Changed ? error.now.status : row.status
