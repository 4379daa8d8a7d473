import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#api/api-error.ts'
import { call, recordOf } from '#api/queries.ts'
import type { Schema } from '#api/types.ts'
import { useGo } from '#ui/go.ts'
import { PageTitle } from '#ui/page-title.tsx'
import { formatMoney, formatNumber } from '#ui/texts/format.ts'
import { Back } from '../parts/back.tsx'
import { Button } from '../parts/button.tsx'
import { Sheet, SheetEnds } from '../parts/sheet.tsx'
import { Empty, Loaded, Refused } from '../parts/states.tsx'
import { Ago } from '../parts/time-words.tsx'
import { basket } from '../queries.ts'
import classes from './basket.module.css'

type Draft = Schema<'BasketDraft'>

const drafts = recordOf('/api/v1/basket/drafts')

/** Baskets that were put aside. */
export const DraftsPage = () => {
  const { t } = useTranslation('shop')
  const query = useQuery(drafts)
  return (
    <div className="stack">
      <Back to="/shop/basket">{t('basket.title')}</Back>
      <PageTitle>{t('drafts.title')}</PageTitle>
      <Loaded query={query}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title={t('drafts.empty')}>{t('drafts.empty_why')}</Empty>
          ) : (
            <ul className="rows">
              {rows.map((draft) => (
                <DraftRow key={draft.id} draft={draft} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </div>
  )
}

const DraftRow = ({ draft }: { readonly draft: Draft }) => {
  const { t } = useTranslation('shop')
  const [sheet, setSheet] = useState<'load' | 'delete'>()
  const { error, isPending, load, remove } = useDraft(draft)
  const isBasketEmpty = useQuery(basket).data?.basket_items.length === 0
  const { name, total_quantity: quantity, total_amount: amount, currency } = draft
  const close = (): void => setSheet(undefined)
  return (
    <li className={classes['row']}>
      <div className="pair">
        <span className="strong">{name}</span>
        <span className="strong">{currency === null ? '' : formatMoney(amount, currency)}</span>
        <span className="muted">
          {t('pieces', { count: quantity, number: formatNumber(quantity) })} · <Ago at={draft.saved_at} />
        </span>
      </div>
      <div className="flex">
        <Button isBusy={isPending} onClick={() => (isBasketEmpty ? load() : setSheet('load'))}>
          {t('drafts.load')}
        </Button>
        <Button kind="plain" aria-label={t('drafts.delete_what', { name })} onClick={() => setSheet('delete')}>
          {t('drafts.delete')}
        </Button>
      </div>
      <Refused error={error} />
      {sheet !== undefined && (
        <Sheet title={t(`drafts.${sheet}_title`, { name })} onClose={close}>
          <p>{t(`drafts.${sheet}_why`)}</p>
          <SheetEnds onClose={close}>
            <Button
              kind={sheet === 'load' ? 'main' : 'bad'}
              onClick={() => {
                close()
                if (sheet === 'load') load()
                else remove()
              }}
            >
              {t(`drafts.${sheet}_submit`)}
            </Button>
          </SheetEnds>
        </Sheet>
      )}
    </li>
  )
}

/** What can be done with a draft. */
const useDraft = ({ id }: Draft) => {
  const queries = useQueryClient()
  const go = useGo()
  const loading = useMutation<Schema<'Basket'>, ApiError>({
    mutationFn: () => call('post', '/api/v1/basket/{id}/load', { path: { id } }),
    onSuccess: (loaded) => {
      queries.setQueryData(basket.queryKey, loaded)
      go.push('/shop/basket')
    },
  })
  const removing = useMutation<unknown, ApiError>({
    mutationFn: () => call('delete', '/api/v1/basket/drafts/{id}', { path: { id } }),
    onSettled: () => void queries.invalidateQueries({ queryKey: drafts.queryKey }),
  })
  return {
    error: loading.error ?? removing.error,
    isPending: loading.isPending || removing.isPending,
    load: () => loading.mutate(),
    remove: () => removing.mutate(),
  }
}
