import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import { Action } from '#ui/action.tsx'
import { useGo } from '#ui/go.ts'
import { toastDone, toastFailed } from '#ui/toast.tsx'
import type { Quotation } from './quotation.ts'

/** Makes a new draft with the same terms, and goes there. */
export const DuplicateQuotation = ({ quotation }: { readonly quotation: Quotation }) => {
  const { t } = useTranslation('quotations')
  const go = useGo()
  const sending = useSend('post', '/api/v1/quotations/{id}/duplicate')
  const { id, allowed_actions: allowed, blocked_actions: blocked } = quotation
  return (
    <Action
      variant="subtle"
      off={allowed.includes('duplicate') ? undefined : (blocked['duplicate'] ?? t('off.role'))}
      loading={sending.isPending}
      onClick={() =>
        sending.mutate(
          { path: { id } },
          {
            onSuccess: (made) => {
              toastDone(t('done.duplicate', { number: made.number }))
              go.push(`/quotations/${made.id}`)
            },
            onError: toastFailed,
          },
        )
      }
    >
      {t('action.duplicate')}
    </Action>
  )
}
