import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#api/api-error.ts'
import { call } from '#api/queries.ts'
import type { Schema } from '#api/types.ts'
import { useGo } from '#ui/go.ts'
import { Button } from '../parts/button.tsx'
import { Field } from '../parts/field.tsx'
import { Sheet, SheetEnds } from '../parts/sheet.tsx'
import { Refused } from '../parts/states.tsx'
import { useKept } from '../parts/use-kept.ts'
import { basket } from '../queries.ts'

/** Makes a quotation of the basket, and says before where it will go. */
export const AskSheet = ({ onClose }: { readonly onClose: () => void }) => {
  const { t } = useTranslation('shop')
  const needsApproval = useQuery(basket).data?.needs_approval === true
  const go = useGo()
  const queries = useQueryClient()
  const [name, setName, forget] = useKept('ask')
  const [isMissing, setIsMissing] = useState(false)
  const asking = useMutation<Schema<'QuotationDetail'>, ApiError>({
    mutationFn: () => call('post', '/api/v1/my-quotations', { body: { name: name.trim() } }),
    onSuccess: ({ id }) => {
      forget()
      void queries.invalidateQueries()
      go.push(`/shop/quotations/${id}`)
    },
  })
  const { error } = asking
  const wrong = error?.fields['name'] ?? (isMissing ? t('ask.name_missing') : undefined)
  return (
    <Sheet title={t('ask.title')} onClose={onClose}>
      <p>{t(needsApproval ? 'ask.to_head_office' : 'ask.to_seller')}</p>
      <form
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          setIsMissing(name.trim() === '')
          if (name.trim() !== '') asking.mutate()
        }}
      >
        <Field
          label={t('ask.name')}
          hint={t('ask.name_hint')}
          maxLength={255}
          required
          value={name}
          error={wrong}
          onChange={({ target }) => setName(target.value)}
        />
        <Refused error={wrong === undefined ? error : null} />
        <SheetEnds onClose={onClose}>
          <Button kind="main" type="submit" isBusy={asking.isPending}>
            {t('ask.submit')}
          </Button>
        </SheetEnds>
      </form>
    </Sheet>
  )
}
