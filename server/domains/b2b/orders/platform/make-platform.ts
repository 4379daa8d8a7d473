import type { CommercePlatform } from './commerce-platform.ts'
import { makeHttpPlatform, type HttpPlatformDeps } from './http-platform.ts'
import { makeLedger, type LedgerDeps } from './ledger.ts'

/** Which connector, and what it needs (COMMERCE_CONNECTOR). */
export type Commerce =
  | { readonly connector: 'ledger' }
  | ({ readonly connector: 'http' } & Pick<HttpPlatformDeps, 'url' | 'secret'>)

export type PlatformDeps = LedgerDeps & Omit<HttpPlatformDeps, 'url' | 'secret'>

/** The commerce platform that the configuration names. */
export const makePlatform = (commerce: Commerce, deps: PlatformDeps): CommercePlatform =>
  commerce.connector === 'ledger' ? makeLedger(deps) : makeHttpPlatform({ ...deps, ...commerce })
