import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#api/api-error.ts'
import { sendTable, tableType } from '#api/send-table.ts'
import type { Schema } from '#api/types.ts'
import { useGo } from '#ui/go.ts'
import { PageTitle } from '#ui/page-title.tsx'
import { formatMoney, formatNumber } from '#ui/texts/format.ts'
import { Back } from '../parts/back.tsx'
import { Button } from '../parts/button.tsx'
import { Field } from '../parts/field.tsx'
import { Notice } from '../parts/states.tsx'
import { basket } from '../queries.ts'
import { ImportErrors } from './import-errors.tsx'
import { readCsv } from './read-csv.ts'
import classes from './basket.module.css'

const path = '/api/v1/basket/import'

interface Chosen {
  readonly file: File
  /** Its rows, where it is one that the page can read. */
  readonly rows: readonly (readonly string[])[]
}

/** A table that was chosen: tried at once, and then put into the basket. */
const useImport = () => {
  const queries = useQueryClient()
  const go = useGo()
  const [chosen, setChosen] = useState<Chosen>()
  const [isNoTable, setIsNoTable] = useState(false)
  const [isReplacing, setIsReplacing] = useState(false)
  const trying = useMutation<Schema<'Basket'>, ApiError, { file: File; replace: boolean }>({
    mutationFn: ({ file, replace }) => sendTable(path, file, { dry_run: true, replace }),
  })
  const filling = useMutation<Schema<'Basket'>, ApiError, File>({
    mutationFn: (file) => sendTable(path, file, { replace: isReplacing }),
    onSuccess: (filled) => {
      queries.setQueryData(basket.queryKey, filled)
      go.push('/shop/basket')
    },
  })
  const choose = async (file: File | undefined): Promise<void> => {
    const type = file === undefined ? undefined : tableType(file.name)
    setIsNoTable(file !== undefined && type === undefined)
    trying.reset()
    filling.reset()
    if (file === undefined || type === undefined) return setChosen(undefined)
    setChosen({ file, rows: type === 'text/csv' ? readCsv(await file.text()) : [] })
    trying.mutate({ file, replace: isReplacing })
  }
  const replace = (next: boolean): void => {
    setIsReplacing(next)
    if (chosen !== undefined) trying.mutate({ file: chosen.file, replace: next })
  }
  return { chosen, isNoTable, isReplacing, trying, filling, choose, replace }
}

/** Fills the basket from a table: first it says what would be in it, or what is wrong with which row. */
export const ImportPage = () => {
  const { t } = useTranslation('shop')
  const { chosen, isNoTable, isReplacing, trying, filling, choose, replace } = useImport()
  const inBasket = useQuery(basket).data?.basket_items.length ?? 0
  const error = filling.error ?? trying.error
  return (
    <div className="stack">
      <Back to="/shop/basket">{t('basket.title')}</Back>
      <PageTitle>{t('import.title')}</PageTitle>
      <p className="muted">{t('import.why')}</p>
      <Field
        label={t('import.file')}
        type="file"
        accept=".csv,.xlsx"
        error={isNoTable ? t('import.no_table') : undefined}
        onChange={({ target }) => void choose(target.files?.[0])}
      />
      {inBasket > 0 && (
        <label className={classes['check']}>
          <input type="checkbox" checked={isReplacing} onChange={({ target }) => replace(target.checked)} />
          {t('import.replace', { count: inBasket })}
        </label>
      )}
      {error !== null && <ImportErrors error={error} rows={chosen?.rows ?? []} />}
      {error === null && chosen !== undefined && trying.data !== undefined && (
        <>
          <Outcome data={trying.data} />
          <Button kind="main" isWide isBusy={filling.isPending} onClick={() => filling.mutate(chosen.file)}>
            {t('import.submit')}
          </Button>
        </>
      )}
    </div>
  )
}

const Outcome = ({ data }: { readonly data: Schema<'Basket'> }) => {
  const { t } = useTranslation('shop')
  const { basket_items: items, total_quantity: quantity, total_amount: amount, currency } = data
  return (
    <Notice outcome="ok" title={t('import.fits')}>
      <p>
        {t('import.outcome', {
          count: items.length,
          pieces: formatNumber(quantity),
          amount: currency === null ? '0' : formatMoney(amount, currency),
        })}
      </p>
    </Notice>
  )
}
