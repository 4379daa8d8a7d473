import type { Schema } from '#api/types.ts'
import type { Outcome } from '#ui/status.tsx'
import { environments } from './release-words.ts'

/** Something of a project that ends by itself. */
export interface Expiring {
  readonly kind: 'certificate' | 'profile' | 'bundle_profile'
  readonly environment: (typeof environments)[number]
  /** Of a further bundle; empty for the app itself. */
  readonly bundle: string
  readonly at: string
}

type Project = Pick<Schema<'Project'>, 'credential' | 'additionalCredentials'>

interface Dated extends Omit<Expiring, 'at'> {
  readonly at: string | undefined
}

/** What of a project ends when, the next first. */
export const expiringOf = ({ credential, additionalCredentials }: Project): readonly Expiring[] =>
  environments
    .flatMap((environment): readonly Dated[] => [
      { kind: 'certificate', environment, bundle: '', at: credential.ios?.[environment]?.certificateExpiration },
      { kind: 'profile', environment, bundle: '', at: credential.ios?.[environment]?.provisioningExpiration },
      ...(additionalCredentials.ios?.[environment] ?? []).map(
        ({ bundleIdentifier = '', provisioningExpiration: at }): Dated => ({
          kind: 'bundle_profile',
          environment,
          bundle: bundleIdentifier,
          at,
        }),
      ),
    ])
    .filter((one): one is Expiring => one.at !== undefined)
    .toSorted((one, other) => one.at.localeCompare(other.at))

const soonMs = 30 * 86_400_000

/** Whether something has ended, ends within 30 days, or later. */
export const termOf = (
  at: string,
  now: Date,
): { readonly term: 'expired' | 'soon' | 'later'; readonly outcome: Outcome } => {
  const left = Date.parse(at) - now.getTime()
  if (left <= 0) return { term: 'expired', outcome: 'bad' }
  return left < soonMs ? { term: 'soon', outcome: 'wait' } : { term: 'later', outcome: 'ok' }
}
