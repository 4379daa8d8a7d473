import type { CsvRow } from '../imports/index.ts'
import { wholeNumber } from './basket-fields.ts'
import type { BasketQuantity } from './basket.ts'

/** What is wrong with one cell of a row. */
export interface CellProblem {
  readonly column: string
  readonly message: string
}

export type TableDivision = BasketQuantity['division']

/**
 * Finds the division of a row by its id, or by its ERP code in any case (where two differ in case alone, by the very code); where that is not there, the only one that the buyer orders
 * for. Those of the basket are found too: what was put in before can be removed.
 */
export const makeFindDivision = (orderable: readonly TableDivision[], inBasket: readonly BasketQuantity[]) => {
  const [only, ...others] = orderable
  const usual = only === undefined || others.length > 0 ? required : only
  const all = [...inBasket.map(({ division }) => division), ...orderable]
  const byId = new Map(all.map((division) => [division.id, division]))
  const byCode = new Map([
    ...all.map((division) => [codeOf(division), division] as const),
    ...all.map((division) => [division.erpCode ?? '', division] as const),
  ])
  return ({ cells }: CsvRow): TableDivision | CellProblem => {
    const { division: named = '', division_erp_code: code } = cells
    if (named === '') return usual
    const ofId = byId.get(wholeNumber(named) ?? 0)
    const ofCode = byCode.get(named) ?? byCode.get(named.toLowerCase())
    return ofId === undefined || ofCode === undefined ? (ofId ?? ofCode ?? notOrderable) : eitherOf(ofId, ofCode, code)
  }
}

const codeOf = ({ erpCode }: TableDivision): string => (erpCode ?? '').toLowerCase()

/** An export has the code beside the id, which settles it. */
const eitherOf = (ofId: TableDivision, ofCode: TableDivision, code?: string): TableDivision | CellProblem => {
  if (ofId === ofCode) return ofId
  const [meant, other] = [ofId, ofCode].filter((division) => codeOf(division) === code?.toLowerCase())
  if (meant !== undefined && other === undefined) return meant
  const message = `This is the id of ${ofId.name} and the ERP code of ${ofCode.name}. Say which in a column division_erp_code.`
  return { column: 'division', message }
}

const required: CellProblem = {
  column: 'division',
  message: 'This field is required: there is not one division alone that you order for.',
}

// A division that the caller may not order for is as if it were not there.
export const notOrderable: CellProblem = {
  column: 'division',
  message: 'There is no such division that you can order for.',
}
