import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import { Action } from '#ui/action.tsx'
import { Ident } from '#ui/copy.tsx'
import { Drawer } from '#ui/drawer.tsx'
import { Link } from '#ui/link.tsx'
import { Notice } from '#ui/notice.tsx'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { formatMoney } from '#ui/texts/format.ts'
import { Time } from '#ui/time.tsx'
import { toastDone, toastFailed } from '#ui/toast.tsx'
import { useIdParam } from '#ui/use-params.ts'
import { EditProduct } from './edit-product.tsx'
import { productOf, type Product } from './product-list.tsx'
import classes from './products.module.css'

export const asks = ({ params }: Address): readonly AnyQuery[] => [productOf(Number(params['id']))]

/** One product: what it costs, what it looks like, what is known of it. */
export const ProductDrawer = () => {
  const { t } = useTranslation('products')
  const { data: product, error } = useQuery(productOf(useIdParam()))
  if (product === undefined) return <Drawer closeTo="/products" title={undefined} error={error} />
  const { id, sku, name, price, currency, category, is_active: isActive } = product
  return (
    <Drawer
      closeTo="/products"
      ident={<Ident id={sku} keep={24} />}
      title={name}
      about={[formatMoney(price, currency), category].filter(Boolean).join(' · ')}
      actions={<Switch product={product} />}
    >
      {!isActive && <Notice outcome="idle" title={t('inactive')} />}
      <Look product={product} />
      <Facts product={product} />
      <section className="stack">
        <h3>{t('change')}</h3>
        <EditProduct key={id} product={product} />
      </section>
    </Drawer>
  )
}

interface ProductProps {
  readonly product: Product
}

const Switch = ({ product: { id, name, is_active: isActive } }: ProductProps) => {
  const { t } = useTranslation('products')
  const switching = useSend('patch', '/api/v1/products/{id}')
  const turn = (next: boolean): void =>
    switching.mutate(
      { path: { id }, body: { is_active: next } },
      {
        onSuccess: () => toastDone(t(next ? 'switched_on' : 'switched_off', { name }), () => turn(!next)),
        onError: toastFailed,
      },
    )
  return (
    <Action loading={switching.isPending} onClick={() => turn(!isActive)}>
      {t(isActive ? 'switch_off' : 'switch_on')}
    </Action>
  )
}

/** Its picture; a page may show only those that come over https. */
const Look = ({ product: { image, name } }: ProductProps) =>
  /^https:/i.test(image) ? <img className={classes['image']} src={image} alt={name} loading="lazy" /> : null

const Facts = ({ product }: ProductProps) => {
  const { t } = useTranslation('products')
  const { id, remote_id: remote, base_code: base } = product
  return (
    <dl className="facts">
      <dt>{t('field.remote_id')}</dt>
      <dd>
        <code>{remote}</code>
      </dd>
      {base !== '' && (
        <>
          <dt>{t('field.base_code')}</dt>
          <dd>{base}</dd>
        </>
      )}
      <dt>{t('prices')}</dt>
      <dd>
        <Link to={`/prices?product=${id}`}>{t('prices_of')}</Link>
      </dd>
      <dt>{t('field.created_date')}</dt>
      <dd>
        <Time at={product.created_date} as="moment" />
      </dd>
      <dt>{t('field.modified_date')}</dt>
      <dd>
        <Time at={product.modified_date} as="moment" />
      </dd>
    </dl>
  )
}
