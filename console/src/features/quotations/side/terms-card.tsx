import { useTranslation } from 'react-i18next'
import type { Minor } from '#platform/money.ts'
import { withoutDiscount } from '../draft/edits.ts'
import { ListPriceNote } from '../draft/list-price-note.tsx'
import { useDraftHere } from '../draft/use-draft.ts'
import { amountOf, discountWords } from '../words.ts'
import { GiveDiscount } from './give-discount.tsx'
import classes from '../workspace.module.css'

/** What the lines come to, discount by discount, as it would be after the edits. */
export const TermsCard = () => {
  const { t } = useTranslation('quotations')
  const { base, discounts, priced, off, edit } = useDraftHere()
  const { terms } = base
  const amount = (value: Minor): string => amountOf(value, terms)
  const offOf = (key: string): Minor => priced.off.get(key) ?? 0n
  const ofLines = discounts.filter(({ line }) => line !== null).reduce((sum, { key }) => sum + offOf(key), 0n)
  return (
    <section className="card">
      <div className="head">
        <h2>{t('terms.title')}</h2>
        <span className="small muted">{terms.currency}</span>
      </div>
      <div className="body stack">
        <dl className={classes['sums']}>
          <dt>{t('terms.lines')}</dt>
          <dd>{amount(priced.total)}</dd>
          {ofLines > 0n && (
            <>
              <dt>{t('terms.line_discounts')}</dt>
              <dd>−{amount(ofLines)}</dd>
            </>
          )}
          {discounts
            .filter(({ line }) => line === null)
            .map((discount) => (
              <div key={discount.key} className={classes['row']}>
                <dt>
                  {t('terms.discount', { discount: discountWords(discount, terms) })}
                  {off === undefined && (
                    <button
                      type="button"
                      className={classes['remove']}
                      aria-label={t('terms.take_back', { discount: discountWords(discount, terms) })}
                      onClick={() => edit((edits) => withoutDiscount(edits, discount.key))}
                    >
                      ×
                    </button>
                  )}
                </dt>
                <dd>−{amount(offOf(discount.key))}</dd>
              </div>
            ))}
          <dt className={classes['total']}>{t('terms.total')}</dt>
          <dd className={classes['total']} data-total>
            {amount(priced.net)}
          </dd>
        </dl>
        <ListPriceNote />
        {off === undefined && <GiveDiscount />}
      </div>
    </section>
  )
}
