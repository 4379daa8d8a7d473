import { useTranslation } from 'react-i18next'
import type { Setting, Settings, SettingName } from './settings.ts'

/** Says the value of a setting. */
export const useWords = (): ((value: Settings[SettingName] | Setting['initial']) => string) => {
  const { t } = useTranslation('settings')
  const { t: common } = useTranslation('texts')
  return (value) => {
    if (typeof value === 'boolean') return common(value ? 'yes' : 'no')
    if (Array.isArray(value)) return value.map((field) => t(`column.${field}`)).join(', ')
    return String(value)
  }
}
