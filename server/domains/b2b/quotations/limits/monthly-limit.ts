import type { Clock } from '#platform/clock.ts'
import { formatMoney, digitsOf, type Minor } from '#platform/money.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import type { RemainingOf } from '../../divisions/index.ts'
import { money, type Quotation } from '../quotation.ts'
import { monthOf, usageOf, type Usage } from './limit-store.ts'

/** Decimals of a limit, which is in the currency of whatever is ordered. */
const limitDigits = 2

/** What is to count against the limits of a division: a quotation of it, with what it comes to from now on. */
export interface Addition extends Pick<Quotation, 'divisionId' | 'currency' | 'netAmount' | 'createdAt'> {
  /** Of a quotation that there is: what it came to before is not counted. */
  readonly id?: number
}

/** What is left out of what counts, besides the quotation itself. */
export interface LeftOut {
  readonly except?: readonly number[]
  /** What had to expire by then. */
  readonly dueBy?: Date
}

/** Which limits an addition would exceed, and by what, in words. Others may add at the same time: `requireRoom` is sure. */
export const findExceeded = async (db: Db | Tx, addition: Addition, leftOut: LeftOut): Promise<string[]> => {
  const { id, divisionId, currency, netAmount, createdAt } = addition
  if (netAmount === 0n) return []
  const except = [...(leftOut.except ?? []), ...(id === undefined ? [] : [id])]
  const usage = await usageOf(db, [divisionId], { ...leftOut, month: monthOf(createdAt), except })
  const month = createdAt.toLocaleDateString('en', { month: 'long', year: 'numeric', timeZone: 'UTC' })
  return inOneCurrency(usage, currency).flatMap((one) => {
    if (one.used + netAmount <= inCurrency(one.limit, currency)) return []
    const limit = `the limit of ${one.limitedName} for ${month} is ${formatMoney(one.limit, limitDigits)} ${currency}`
    return [
      `${limit}, of which ${money(one.used, currency)} is used and ${money(restOf(one), currency)} is left, and this comes to ${money(netAmount, currency)}`,
    ]
  })
}

/** Makes what says how much is left where it is least: of the limit of a division itself, and of those above it. */
export const makeRemainingOf =
  (clock: Clock): RemainingOf =>
  async (db, divisionIds, currency) => {
    const now = clock.now()
    const usage = await usageOf(db, divisionIds, { month: monthOf(now), dueBy: now })
    const byDivision = Map.groupBy(usage, ({ divisionId }) => divisionId)
    return divisionIds.map((id) => {
      const limits = byDivision.get(id)
      return limits === undefined ? null : leastLeft(limits, currency)
    })
  }

const leastLeft = (limits: readonly Usage[], currency: string | null): string =>
  currency === null
    ? formatMoney(least(limits.map(restInHundredths)), limitDigits)
    : money(least(inOneCurrency(limits, currency).map(restOf)), currency)

type UsageInCurrency = Usage & { readonly currency: string }

/** What is used of each limit in one currency: currencies are not added up. */
const inOneCurrency = (usage: readonly Usage[], currency: string): UsageInCurrency[] =>
  [...Map.groupBy(usage, ({ limitedId }) => limitedId).values()].flatMap((ofLimit) => {
    const [first] = ofLimit
    const used = ofLimit.find((one) => one.currency === currency)?.used ?? 0n
    return first === undefined ? [] : [{ ...first, currency, used }]
  })

const least = (amounts: readonly Minor[]): Minor => amounts.reduce((one, other) => (other < one ? other : one))

/** A limit in minor units of a currency. A fraction of such a unit allows nothing. */
const inCurrency = (limit: Minor, currency: string): Minor => (limit * scaleOf(currency)) / 10n ** BigInt(limitDigits)
const scaleOf = (currency: string): bigint => 10n ** BigInt(digitsOf(currency) ?? limitDigits)

/** In minor units of the currency. Where a limit was lowered more may be used, and nothing is left. */
const restOf = ({ limit, used, currency }: UsageInCurrency): Minor => {
  const rest = inCurrency(limit, currency) - used
  return rest > 0n ? rest : 0n
}

const restInHundredths = (usage: Usage): Minor => {
  const { limit, currency } = usage
  return currency === null ? limit : (restOf({ ...usage, currency }) * 10n ** BigInt(limitDigits)) / scaleOf(currency)
}
