import { useTranslation } from 'react-i18next'
import type { ApiError } from '#api/api-error.ts'
import { toastDone, toastFailed } from '#ui/toast.tsx'

/** Says why something was not done; of a quotation that was changed meanwhile, that the screen shows it as it is now, which is no error. */
export const useToldStale = () => {
  const { t } = useTranslation('quotations')
  return (error: ApiError): void => {
    const isStale = error.status === 412 || error.code === 'stale_revision'
    if (isStale) toastDone(t('stale'))
    else toastFailed(error)
  }
}
