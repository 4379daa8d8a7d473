/** What a request names, as far as its form tells. */
export interface WantedQuantity {
  readonly productRemoteId: string
  /** undefined: what was sent is the id of nothing. */
  readonly division: number | undefined
  /** undefined: what was sent is no whole number. */
  readonly quantity: number | undefined
}

/** Most pieces of one product for one division. */
export const maxPieces = 1_000_000

interface SentQuantity {
  readonly product_remote_id: number | string
  readonly division: number | string
  readonly quantity: number | string
}

export const wantedQuantity = (body: SentQuantity): WantedQuantity => ({
  productRemoteId: String(body.product_remote_id),
  division: wholeNumber(body.division),
  quantity: wholeNumber(body.quantity),
})

/** A whole number, or its text as forms have it: `3`, not `03`, `3.0` or ` 3`. @returns undefined when it is neither. */
export const wholeNumber = (value: number | string): number | undefined => {
  const number = typeof value === 'string' && canonical.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined
}
const canonical = /^(0|-?[1-9]\d{0,15})$/

/** What is wrong with a quantity; undefined when nothing is. @param least 1 to add, 0 where that removes. */
export const quantityProblem = (quantity: number | undefined, least: 0 | 1): string | undefined =>
  quantity !== undefined && quantity >= least && quantity <= maxPieces
    ? undefined
    : `Use a whole number from ${least} to ${maxPieces.toLocaleString('en')}.`
