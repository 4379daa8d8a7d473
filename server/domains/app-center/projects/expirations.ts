import { Type, type Static } from 'typebox'
import { dayMs } from '#platform/clock.ts'
import { Nullable, OneOf, Timestamp } from '#platform/http/schemas.ts'
import type { ProjectObjects } from './project-shape.ts'
import type { Tree, TreeValue } from './shape.ts'

export const defaultDays = 30

/** Something of a project that ends at a known time. */
export const Expiration = Type.Object(
  {
    field: Type.String({
      description: 'Path in the project.',
      examples: ['credential.ios.production.certificateExpiration'],
    }),
    kind: OneOf(['certificate', 'provisioning']),
    environment: OneOf(['production', 'staging']),
    bundleIdentifier: Nullable(Type.String({ description: 'Of an additional credential; null for the app itself.' })),
    expiresAt: Timestamp,
    daysLeft: Type.Integer({ description: 'Whole days; negative when it has ended.' }),
    expired: Type.Boolean(),
  },
  { title: 'Expiration' },
)
type Expiration = Static<typeof Expiration>

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
  const endings = (['production', 'staging'] as const).flatMap((environment): Ending[] => [
    ...endingsOf(['certificate', 'provisioning'], at(credential, 'ios', environment), {
      field: `credential.ios.${environment}`,
      environment,
      bundleIdentifier: null,
    }),
    ...itemsOf(at(additionalCredentials, 'ios', environment)).flatMap((item, index) =>
      endingsOf(['provisioning'], item, {
        field: `additionalCredentials.ios.${environment}.${index}`,
        environment,
        bundleIdentifier: typeof item['bundleIdentifier'] === 'string' ? item['bundleIdentifier'] : null,
      }),
    ),
  ])
  const leftMs = ({ expiresAt }: Ending): number => Date.parse(expiresAt) - now.getTime()
  return endings
    .filter((ending) => leftMs(ending) <= days * dayMs)
    .toSorted((one, other) => leftMs(one) - leftMs(other))
    .map((ending) => ({ ...ending, daysLeft: Math.floor(leftMs(ending) / dayMs), expired: leftMs(ending) < 0 }))
}

/** @param owner with the path of the object that the times are in. */
const endingsOf = (
  kinds: readonly Ending['kind'][],
  stored: TreeValue | undefined,
  owner: Omit<Ending, 'kind' | 'expiresAt'>,
): Ending[] =>
  kinds.flatMap((kind) => {
    const expiresAt = at(stored, `${kind}Expiration`)
    const field = `${owner.field}.${kind}Expiration`
    return typeof expiresAt === 'string' ? [{ ...owner, field, kind, expiresAt }] : []
  })

const itemsOf = (value: TreeValue | undefined): readonly Tree[] =>
  Array.isArray(value) ? (value as readonly Tree[]) : []

const at = (value: TreeValue | undefined, ...names: readonly string[]): TreeValue | undefined =>
  names.reduce<TreeValue | undefined>(
    (inner, name) => (typeof inner === 'object' && !Array.isArray(inner) ? (inner as Tree)[name] : undefined),
    value,
  )
