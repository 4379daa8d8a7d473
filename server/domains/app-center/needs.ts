import { mayCall } from '#platform/auth/principal.ts'
import type { Vault } from '#platform/crypto/vault.ts'
import { needOf, type FindNeeds } from '#platform/need.ts'
import { expiringOf, newestProjects } from './projects/index.ts'
import { countTroubledWebhooks } from './webhooks/index.ts'

export type ProjectNeed = 'webhooks_failing' | 'webhooks_switched_off' | 'certificates_expiring'

const access = { role: 'user', scope: 'projects:read' } as const

/** What needs somebody in the organizations of the principal; for superusers in all of them. */
export const makeFindNeeds =
  (vault: Vault): FindNeeds<ProjectNeed> =>
  async (db, principal, now) => {
    if (!mayCall(principal, access)) return []
    const member = principal.isSuperuser ? null : principal.userId
    const [{ failing, switchedOff }, projects] = await Promise.all([
      countTroubledWebhooks(db, member),
      newestProjects(db, vault, member),
    ])
    const expiring = projects.map((project) => ({ project, count: expiringOf(project, now).length }))
    const [first, ...others] = expiring.filter(({ count }) => count > 0)
    const count = [first, ...others].reduce((sum, one) => sum + (one?.count ?? 0), 0)
    const only = others.length === 0 ? first?.project : undefined
    const path = only === undefined ? '/organizations' : `/organizations/${only.organizationId}/projects/${only.id}`
    return [
      needOf('webhooks_failing', '/organizations', failing),
      needOf('webhooks_switched_off', '/organizations', switchedOff),
      needOf('certificates_expiring', path, count),
    ]
  }
