import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#api/api-error.ts'
import { call } from '#api/queries.ts'
import type { Query, RowOf } from '#api/types.ts'
import { Action } from '#ui/action.tsx'
import { GoAction } from '#ui/go-action.tsx'
import { parseSearch } from '#ui/list/search-text.ts'
import { toastDone, toastFailed } from '#ui/toast.tsx'

type Export = RowOf<'/api/v1/exports'>

/** Begins the request of an export once more. */
const beginAgain = ({ quotation, again }: Export) => {
  const asked: unknown = parseSearch(again.query)
  return quotation === null
    ? call('get', '/api/v1/quotations/export', { query: asked as Query<'get', '/api/v1/quotations/export'> })
    : call('get', '/api/v1/quotations/{id}/export', {
        path: { id: quotation.id },
        query: asked as Query<'get', '/api/v1/quotations/{id}/export'>,
      })
}

/** Makes the same file of what there is now, or goes to where it can be changed first. */
export const Again = ({ made }: { readonly made: Export }) => {
  const { t } = useTranslation('exports')
  const queries = useQueryClient()
  const beginning = useMutation<unknown, ApiError>({
    mutationFn: () => beginAgain(made),
    onSuccess: () => toastDone(t('begun')),
    onError: toastFailed,
    onSettled: () => void queries.invalidateQueries(),
  })
  const { quotation, again } = made
  const one = quotation === null ? '' : `&quotation=${quotation.id}`
  return (
    <span className="flex">
      <Action variant="subtle" loading={beginning.isPending} onClick={() => beginning.mutate()}>
        {t('again')}
      </Action>
      <GoAction variant="subtle" to={`/exports/new?${again.query}${one}`}>
        {t('again_changed')}
      </GoAction>
    </span>
  )
}
