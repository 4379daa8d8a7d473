import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import { Action } from '#ui/action.tsx'
import { changedValues } from '#ui/changes.ts'
import { Drawer } from '#ui/drawer.tsx'
import { FormEnd } from '#ui/form-end.tsx'
import { useGo } from '#ui/go.ts'
import { Link } from '#ui/link.tsx'
import type { Search } from '#ui/list/filters.ts'
import { stringifySearch } from '#ui/list/search-text.ts'
import { Notice } from '#ui/notice.tsx'
import { useNow } from '#ui/now.ts'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { showErrors } from '#ui/show-errors.ts'
import { formatMoney } from '#ui/texts/format.ts'
import { Time } from '#ui/time.tsx'
import { toastDone, toastFailed } from '#ui/toast.tsx'
import { useIdParam } from '#ui/use-params.ts'
import { formatPeriod, heldAt } from './period.ts'
import { formOf, PriceFields, toBody, type PriceForm } from './price-fields.tsx'
import { priceOf, type Price } from './price-list.tsx'

export const asks = ({ params }: Address): readonly AnyQuery[] => [priceOf(Number(params['id']))]

interface PriceProps {
  readonly price: Price
}

/** One price of a division: how much, beside the list price, and when it holds. */
export const PriceDrawer = () => {
  const { t } = useTranslation('prices')
  const now = useNow()
  const { data: price, error } = useQuery(priceOf(useIdParam()))
  if (price === undefined) return <Drawer closeTo="/prices" title={undefined} error={error} />
  const { id, division_name: division, price: amount, currency } = price
  const state = heldAt(price, now)
  return (
    <Drawer
      closeTo="/prices"
      ident={price.name}
      title={t('sentence', { division, price: formatMoney(amount, currency) })}
      about={price.product_name}
      actions={<Remove price={price} />}
    >
      {state !== 'now' && (
        <Notice outcome={state === 'later' ? 'wait' : 'idle'} title={t(`state_why.${state}`)}>
          {state === 'other_currency' && <p>{t('other_currency', { currency, list: price.list_currency })}</p>}
        </Notice>
      )}
      <Facts price={price} />
      <section className="stack">
        <h3>{t('change')}</h3>
        <EditPrice key={id} price={price} />
      </section>
    </Drawer>
  )
}

const Facts = ({ price }: PriceProps) => {
  const { t } = useTranslation('prices')
  return (
    <dl className="facts">
      <dt>{t('field.list_price')}</dt>
      <dd>{formatMoney(price.list_price, price.list_currency)}</dd>
      <dt>{t('field.valid')}</dt>
      <dd>{formatPeriod(price, t)}</dd>
      <dt>{t('field.product')}</dt>
      <dd>
        <Link to={`/products/${price.product}`}>{price.product_name}</Link>
      </dd>
      <dt>{t('field.division')}</dt>
      <dd>
        <Link to={`/divisions/${price.division}`}>{price.division_name}</Link>
      </dd>
      <dt>{t('field.modified_date')}</dt>
      <dd>
        <Time at={price.modified_date} as="moment" />
      </dd>
    </dl>
  )
}

/** Deletes a price; it can be made again as it was. */
const Remove = ({ price }: PriceProps) => {
  const { t } = useTranslation('prices')
  const search: Search = useSearch({ strict: false })
  const go = useGo()
  const removing = useSend('delete', '/api/v1/prices/{id}')
  const making = useSend('post', '/api/v1/prices')
  const { product_remote_id, division, covers, name, price: amount, valid_from, valid_to } = price
  const bringBack = (): void =>
    making.mutate(
      { body: { product_remote_id, division, covers, name, price: amount, valid_from, valid_to } },
      { onError: toastFailed },
    )
  const removed = (): void => {
    toastDone(t('removed'), bringBack)
    go.replace(`/prices${stringifySearch(search)}`)
  }
  return (
    <Action
      loading={removing.isPending}
      onClick={() => removing.mutate({ path: { id: price.id } }, { onSuccess: removed, onError: toastFailed })}
    >
      {t('remove')}
    </Action>
  )
}

/** Changes a price, only in the fields that were touched. It can be taken back. */
const EditPrice = ({ price }: PriceProps) => {
  const { t } = useTranslation('prices')
  const { t: common } = useTranslation('texts')
  const saving = useSend('patch', '/api/v1/prices/{id}')
  const path = { id: price.id }
  const form = useForm<PriceForm>({ initialValues: formOf(price) })
  const save = (values: PriceForm): void => {
    const changed = changedValues(form, values)
    const { division, covers, name, price: amount, valid_from, valid_to } = price
    const undo = (): void => {
      form.setValues(formOf(price))
      form.resetDirty(formOf(price))
      saving.mutate(
        { path, body: { division, covers, name, price: amount, valid_from, valid_to } },
        { onError: toastFailed },
      )
    }
    saving.mutate(
      { path, body: toBody(changed) },
      {
        onSuccess: () => {
          form.resetDirty(values)
          toastDone(t('saved'), undo)
        },
        onError: showErrors(form),
      },
    )
  }
  return (
    <form className="stack" onSubmit={form.onSubmit(save)}>
      <PriceFields form={form} currency={price.currency} />
      <FormEnd
        form={form}
        submit={common('save')}
        loading={saving.isPending}
        off={form.isDirty() ? undefined : t('unchanged')}
      />
    </form>
  )
}
