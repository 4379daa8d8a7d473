import { useTranslation } from 'react-i18next'
import { isBackOffice, useMe } from '#api/session.ts'
import type { Schema } from '#api/types.ts'

export type Role = Schema<'Organization'>['role']

/** Roles of members, each with the rights of those after it. */
export const roles = ['owner', 'admin', 'developer', 'viewer'] as const satisfies readonly Role[]

/** Says why somebody may not do what takes at least a role; undefined for whoever may, and while the role is not known. */
export const useRoleOff = (own: Role | undefined) => {
  const { t } = useTranslation('projects')
  return (least: Exclude<Role, 'viewer'>): string | undefined =>
    own === undefined || roles.indexOf(own) <= roles.indexOf(least)
      ? undefined
      : t(`off.${least}`, { role: t(`role.${own}`) })
}

/** Why somebody may not make organizations: buyers order, they build nothing. */
export const useMakingOff = (): string | undefined => {
  const { t } = useTranslation('projects')
  const me = useMe()
  return me.division !== null && !isBackOffice(me) ? t('off.buyer') : undefined
}
