import { useRouter } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ApiError } from '#api/api-error.ts'
import { Action } from '#ui/action.tsx'
import { Empty, Failed } from '#ui/states.tsx'

/** What is shown in place of a screen that could not be shown: what the server said, or what broke in the page. */
export const Crashed = ({ error, reset }: { readonly error: unknown; readonly reset: () => void }) => {
  const { t } = useTranslation('shell')
  const router = useRouter()
  const again = (): void => {
    reset()
    void router.invalidate()
  }
  if (error instanceof ApiError) return <Failed error={error} retry={again} />
  return (
    <div role="alert">
      <Empty title={t('crash.title')} action={<Action onClick={again}>{t('crash.again')}</Action>}>
        {t('crash.why')} <code>{error instanceof Error ? error.message : String(error)}</code>
      </Empty>
    </div>
  )
}
