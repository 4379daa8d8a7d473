import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from '#ui/link.tsx'
import { Field } from '../parts/field.tsx'
import classes from './products.module.css'

/** What the address says of the products that are shown. */
export interface ProductFilters {
  readonly q?: string
  readonly category?: string
}

/** While somebody types, only where they end is asked for. */
const restMs = 250

/** Words of a name, a number or a kind; the address has them, so that a search can be passed on. */
export const ProductSearch = ({ filters }: { readonly filters: ProductFilters }) => {
  const { t } = useTranslation('shop')
  const navigate = useNavigate()
  const [words, setWords] = useState(filters.q ?? '')
  const timer = useRef<number>(undefined)
  useEffect(() => () => window.clearTimeout(timer.current), [])
  const search = (next: string): void => {
    const q = next.trim()
    const wanted = { ...(q !== '' && { q }), ...(filters.category !== undefined && { category: filters.category }) }
    void navigate({ to: '/shop', search: wanted, replace: true, resetScroll: false })
  }
  return (
    <form
      role="search"
      className={classes['search']}
      onSubmit={(event) => {
        event.preventDefault()
        window.clearTimeout(timer.current)
        search(words)
      }}
    >
      <Field
        label={t('products.search')}
        type="search"
        enterKeyHint="search"
        placeholder={t('products.search_for')}
        value={words}
        onChange={({ target: { value } }) => {
          setWords(value)
          window.clearTimeout(timer.current)
          timer.current = window.setTimeout(() => search(value), restMs)
        }}
      />
      {filters.category !== undefined && (
        <Link
          className={classes['category']}
          to={filters.q === undefined ? '/shop' : `/shop?${new URLSearchParams({ q: filters.q })}`}
          aria-label={t('products.all_categories', { category: filters.category })}
        >
          {filters.category} <span aria-hidden="true">×</span>
        </Link>
      )}
    </form>
  )
}
