import type { ProjectObjects } from './project-shape.ts'
import type { Tree, TreeValue } from './shape.ts'

export const defaultDays = 30
export const mostDays = 365
const dayMs = 86_400_000

/** Something of a project that ends at a known time. */
export interface Expiration {
  /** Path in the project. */
  readonly field: string
  readonly kind: 'certificate' | 'provisioning'
  readonly environment: 'production' | 'staging'
  /** Of an additional credential that names one; null for the app itself. */
  readonly bundleIdentifier: string | null
  readonly expiresAt: string
  /** Whole days; negative exactly when it has ended. */
  readonly daysLeft: number
  readonly expired: boolean
}

type Ending = Omit<Expiration, 'daysLeft' | 'expired'>

/**
 * What ends within so many days of 24 hours, the last moment included, and what has ended; the earliest first. A
 * certificate is still good at the very moment that it names (RFC 5280, section 4.1.2.5).
 */
export const expirationsOf = (
  { credential, additionalCredentials }: Pick<ProjectObjects, 'credential' | 'additionalCredentials'>,
  now: Date,
  days = defaultDays,
): Expiration[] => {
  const endings = (['production', 'staging'] as const).flatMap((environment) => [
    ...ofApp(credential, environment),
    ...ofAdditional(additionalCredentials, environment),
  ])
  const leftMs = ({ expiresAt }: Ending): number => Date.parse(expiresAt) - now.getTime()
  return endings
    .filter((ending) => leftMs(ending) <= days * dayMs)
    .toSorted((one, other) => leftMs(one) - leftMs(other))
    .map((ending) => ({ ...ending, daysLeft: Math.floor(leftMs(ending) / dayMs), expired: leftMs(ending) < 0 }))
}

const kinds = { certificate: 'certificateExpiration', provisioning: 'provisioningExpiration' } as const

const ofApp = (credential: Tree, environment: Ending['environment']): Ending[] => {
  const stored = at(at(credential, 'ios'), environment)
  return (['certificate', 'provisioning'] as const).flatMap((kind) =>
    endingOf(at(stored, kinds[kind]), {
      field: `credential.ios.${environment}.${kinds[kind]}`,
      kind,
      environment,
      bundleIdentifier: null,
    }),
  )
}

const ofAdditional = (additional: Tree, environment: Ending['environment']): Ending[] => {
  const stored = at(at(additional, 'ios'), environment)
  return (Array.isArray(stored) ? (stored as readonly Tree[]) : []).flatMap((item, index) => {
    const { bundleIdentifier } = item
    return endingOf(at(item, kinds.provisioning), {
      field: `additionalCredentials.ios.${environment}.${index}.${kinds.provisioning}`,
      kind: 'provisioning',
      environment,
      bundleIdentifier: typeof bundleIdentifier === 'string' ? bundleIdentifier : null,
    })
  })
}

const endingOf = (value: TreeValue | undefined, what: Omit<Ending, 'expiresAt'>): Ending[] =>
  typeof value === 'string' ? [{ ...what, expiresAt: value }] : []

const at = (value: TreeValue | undefined, name: string): TreeValue | undefined =>
  typeof value === 'object' && !Array.isArray(value) ? (value as Tree)[name] : undefined
