import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '#ui/texts/format.ts'
import type { Difference } from '../draft/differences.ts'
import { unitsOf, type Terms } from '../draft/terms.ts'
import { useDivisionNames } from '../division-names.ts'
import { amountOf, discountWords } from '../words.ts'
import classes from '../workspace.module.css'

interface DifferenceListProps {
  readonly differences: readonly Difference[]
  readonly terms: Terms
  /** Those that are told at first. */
  readonly most?: number
}

/** What differs, a line each, with what it was and what it is. */
export const DifferenceList = ({ differences, terms, most = 50 }: DifferenceListProps) => {
  const { t } = useTranslation('quotations')
  const divisionName = useDivisionNames()
  if (differences.length === 0) return null
  return (
    <ul className={classes['differences']}>
      {differences.slice(0, most).map((one, index) => (
        <li key={index}>
          <Words one={one} terms={terms} divisionName={divisionName} t={t} />
        </li>
      ))}
      {differences.length > most && <li className="muted">{t('more', { count: differences.length - most })}</li>}
    </ul>
  )
}

interface WordsProps {
  readonly one: Difference
  readonly terms: Terms
  readonly divisionName: (id: number) => string
  readonly t: TFunction
}

const Words = ({ one, terms, divisionName, t }: WordsProps) => {
  if (one.what === 'price' || one.what === 'quantity') {
    const [was, is] = [one.before, one.after].map((value) =>
      typeof value === 'bigint' ? amountOf(value, terms) : formatNumber(value),
    )
    return (
      <>
        {one.line.product}, {one.what === 'price' ? t('field.price') : divisionName(one.division)}:{' '}
        <span className="visually-hidden">{t('difference.from')}</span>
        <s className="muted">{was}</s> → <b>{is}</b>
      </>
    )
  }
  if ('discount' in one) {
    const of = one.line?.product ?? t('difference.whole')
    return <>{t(`difference.${one.what}`, { discount: discountWords(one.discount, terms), of })}</>
  }
  return <>{t(`difference.${one.what}`, { product: one.line.product, count: unitsOf(one.line.shares) })}</>
}
