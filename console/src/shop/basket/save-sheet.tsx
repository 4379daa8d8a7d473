import { useMutation, useQueryClient } from '@tanstack/react-query'
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
import { basket } from '../queries.ts'

/** Puts the basket aside under a name, to go on with it another day. */
export const SaveSheet = ({ onClose }: { readonly onClose: () => void }) => {
  const { t } = useTranslation('shop')
  const go = useGo()
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const saving = useMutation<Schema<'Basket'>, ApiError>({
    mutationFn: () => call('post', '/api/v1/basket/save', { body: { name: name.trim() } }),
    onSuccess: (left) => {
      queries.setQueryData(basket.queryKey, left)
      void queries.invalidateQueries({ queryKey: ['/api/v1/basket/drafts'] })
      go.push('/shop/basket/drafts')
    },
  })
  const wrong = saving.error?.fields['name']
  return (
    <Sheet title={t('basket.save_title')} onClose={onClose}>
      <p className="muted">{t('basket.save_why')}</p>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          saving.mutate()
        }}
      >
        <Field
          label={t('basket.save_name')}
          maxLength={255}
          required
          value={name}
          error={wrong}
          onChange={({ target }) => setName(target.value)}
        />
        <Refused error={wrong === undefined ? saving.error : null} />
        <SheetEnds onClose={onClose}>
          <Button kind="main" type="submit" isBusy={saving.isPending}>
            {t('basket.save_submit')}
          </Button>
        </SheetEnds>
      </form>
    </Sheet>
  )
}
