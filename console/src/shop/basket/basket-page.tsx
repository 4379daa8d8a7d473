import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Schema } from '#api/types.ts'
import { Link } from '#ui/link.tsx'
import { PageTitle } from '#ui/page-title.tsx'
import { formatMoney } from '#ui/texts/format.ts'
import { Button, ButtonLink } from '../parts/button.tsx'
import { compare } from '../parts/money.ts'
import { Empty, Loaded } from '../parts/states.tsx'
import { basket, useBuyer } from '../queries.ts'
import { AskSheet } from './ask-sheet.tsx'
import { groupsOf } from './groups.ts'
import { BasketGroup } from './basket-group.tsx'
import { Limit } from './limit.tsx'
import { SaveSheet } from './save-sheet.tsx'
import { Removed, useRemoval } from './removed.tsx'
import classes from './basket.module.css'

/** What the buyer is about to ask for. */
export const BasketPage = () => {
  const { t } = useTranslation('shop')
  const query = useQuery(basket)
  const isFilled = (query.data?.basket_items.length ?? 0) > 0
  const removal = useRemoval()
  return (
    <div className="stack" style={{ gap: 20 }}>
      <div className="flex between wrap">
        <PageTitle>{t('basket.title')}</PageTitle>
        <nav className={classes['ways']} aria-label={t('basket.ways')} data-screen-only>
          <Link to="/shop/basket/drafts">{t('drafts.title')}</Link>
          <Link to="/shop/basket/import">{t('import.title')}</Link>
          {isFilled && <Exports />}
        </nav>
      </div>
      <Removed {...removal} />
      <Loaded query={query}>
        {(held) => (held.basket_items.length === 0 ? <Nothing /> : <Filled held={held} onRemoved={removal.remember} />)}
      </Loaded>
    </div>
  )
}

const Nothing = () => {
  const { t } = useTranslation('shop')
  return (
    <Empty
      title={t('basket.empty')}
      action={
        <ButtonLink to="/shop" kind="main">
          {t('basket.find')}
        </ButtonLink>
      }
    >
      {t('basket.empty_why')}
    </Empty>
  )
}

const Exports = () => {
  const { t } = useTranslation('shop')
  return (
    <a href="/api/v1/basket/export/?format=xlsx" download>
      {t('basket.export')}
    </a>
  )
}

interface FilledProps {
  readonly held: Schema<'Basket'>
  readonly onRemoved: ReturnType<typeof useRemoval>['remember']
}

const Filled = ({ held, onRemoved }: FilledProps) => {
  const { t } = useTranslation('shop')
  const { divisions } = useBuyer()
  const [sheet, setSheet] = useState<'ask' | 'save'>()
  const close = (): void => setSheet(undefined)
  const currency = held.currency ?? ''
  const groups = groupsOf(held.basket_items)
  const gone = held.basket_items.filter(({ product }) => !product.is_active).map(({ product }) => product.name)
  const isOver = held.remaining !== null && compare(held.total_amount, held.remaining) > 0
  const off = (gone.length > 0 && t('basket.has_gone', { names: gone.join(', ') })) || (isOver && t('basket.is_over'))
  return (
    <>
      {groups.map((group) => (
        <BasketGroup
          key={group.id}
          group={group}
          currency={currency}
          isAlone={groups.length === 1 && divisions.length < 2}
          onRemoved={onRemoved}
        />
      ))}
      <p className={`pair ${classes['total']}`}>
        <span>{t('total')}</span>
        <span>{formatMoney(held.total_amount, currency)}</span>
      </p>
      <Limit held={held} />
      <div className={classes['ends']} data-action-bar data-screen-only>
        <Button onClick={() => setSheet('save')}>{t('basket.save')}</Button>
        <Button kind="main" off={off === false ? undefined : off} onClick={() => setSheet('ask')}>
          {t('ask.open')}
        </Button>
      </div>
      {sheet === 'ask' && <AskSheet onClose={close} />}
      {sheet === 'save' && <SaveSheet onClose={close} />}
    </>
  )
}
