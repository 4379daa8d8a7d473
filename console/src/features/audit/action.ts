import type { TFunction } from 'i18next'
import type { Entry } from './audit-list.ts'

/** What was done in words, by the name of its operation; switching has words of its own. Others are told by their name. */
export const actionOf = ({ action, after }: Pick<Entry, 'action' | 'after'>, t: TFunction): string => {
  const isActive = (after as { readonly is_active?: unknown } | null)?.is_active
  const isSwitch = typeof isActive === 'boolean' && Object.keys(after ?? {}).length === 1
  if (isSwitch) return t(isActive ? 'switched_on' : 'switched_off')
  return t(`action.${action}`, { defaultValue: action })
}
