import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#api/api-error.ts'
import { logOut } from '#api/session.ts'
import { leavePage } from '#ui/leave-page.ts'
import { Button } from '../parts/button.tsx'
import { Refused } from '../parts/states.tsx'

/** The way out. */
export const LogOut = () => {
  const { t } = useTranslation('shop')
  const leaving = useMutation<void, ApiError>({
    mutationFn: logOut,
    onSuccess: () => leavePage('/shop/login'),
  })
  return (
    <>
      <Refused error={leaving.error} />
      <Button isBusy={leaving.isPending} onClick={() => leaving.mutate()}>
        {t('account.log_out')}
      </Button>
    </>
  )
}
