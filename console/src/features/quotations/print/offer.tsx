import { useEffect, useState } from 'react'
import { createPortal, flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { formatAmount, formatDate, formatNumber } from '#ui/texts/format.ts'
import { formatMoney as decimalOf, type Minor } from '#platform/money.ts'
import { isGone } from '../draft/edits.ts'
import { unitsOf } from '../draft/terms.ts'
import { useDraftHere } from '../draft/use-draft.ts'
import { useDivisionNames } from '../division-names.ts'
import { amountOf, discountWords, nameOf } from '../words.ts'
import classes from './offer.module.css'

/** The offer as a document, which is there only while the page is printed. */
export const Offer = () => {
  const [isPrinted, setPrinted] = useState(false)
  useEffect(() => {
    const begin = (): void => flushSync(() => setPrinted(true))
    const end = (): void => setPrinted(false)
    window.addEventListener('beforeprint', begin)
    window.addEventListener('afterprint', end)
    return () => {
      window.removeEventListener('beforeprint', begin)
      window.removeEventListener('afterprint', end)
    }
  }, [])
  return isPrinted ? createPortal(<Document />, document.body) : null
}

const Document = () => {
  const { t } = useTranslation('quotations')
  const { quotation } = useDraftHere()
  const { number, name, user, revision, sent_at: sent, created_at: created, expires_at: expires } = quotation
  return (
    <article className={classes['offer']} data-print>
      <header>
        <div>
          <h1>{t('print.title', { number })}</h1>
          <p>{name}</p>
        </div>
        <dl>
          <dt>{t('print.buyer')}</dt>
          <dd>
            {user.division.name}
            <br />
            {nameOf(user)}, {user.email}
            {user.division.phone_number !== '' && `, ${user.division.phone_number}`}
          </dd>
          <dt>{t('print.date')}</dt>
          <dd>
            {formatDate(new Date(sent ?? created))}, {t('head.revision', { count: revision })}
          </dd>
          <dt>{t('print.until')}</dt>
          <dd>{expires === null ? t('valid.never') : formatDate(new Date(expires))}</dd>
        </dl>
      </header>
      <Lines />
      <Sums />
    </article>
  )
}

const Lines = () => {
  const { t } = useTranslation('quotations')
  const { lines, base, priced, discounts } = useDraftHere()
  const divisionName = useDivisionNames()
  const ofLines = Map.groupBy(discounts, ({ line }) => line ?? '')
  const hasDiscounts = discounts.some(({ line }) => line !== null)
  const amount = (value: Minor): string => formatAmount(decimalOf(value, base.terms.digits))
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{t('field.product')}</th>
          <th scope="col">{t('print.for')}</th>
          <th scope="col">{t('field.quantity')}</th>
          <th scope="col">{t('field.price')}</th>
          {hasDiscounts && <th scope="col">{t('print.discount')}</th>}
          <th scope="col">{t('print.sum', { currency: base.terms.currency })}</th>
        </tr>
      </thead>
      <tbody>
        {lines
          .filter((line) => !isGone(line))
          .map((line) => (
            <tr key={line.key}>
              <td>
                {line.product} <code>{line.sku}</code>
              </td>
              <td>
                {line.shares.map(({ id, quantity }) => `${divisionName(id)} ${formatNumber(quantity)}`).join(', ')}
              </td>
              <td>{formatNumber(unitsOf(line.shares))}</td>
              <td>{amount(line.price)}</td>
              {hasDiscounts && (
                <td>{(ofLines.get(line.key) ?? []).map((one) => discountWords(one, base.terms)).join(' + ')}</td>
              )}
              <td>{amount(priced.lines.get(line.key)?.sum ?? 0n)}</td>
            </tr>
          ))}
      </tbody>
    </table>
  )
}

const Sums = () => {
  const { t } = useTranslation('quotations')
  const { base, priced, discounts } = useDraftHere()
  const { terms } = base
  const lines = [...priced.lines.values()].reduce((sum, one) => sum + one.sum, 0n)
  return (
    <dl className={classes['sums']}>
      <dt>{t('terms.lines')}</dt>
      <dd>{amountOf(lines, terms)}</dd>
      {discounts
        .filter(({ line }) => line === null)
        .map((one) => (
          <div key={one.key}>
            <dt>{t('terms.discount', { discount: discountWords(one, terms) })}</dt>
            <dd>−{amountOf(priced.off.get(one.key) ?? 0n, terms)}</dd>
          </div>
        ))}
      <dt>{t('terms.total')}</dt>
      <dd>{amountOf(priced.net, terms)}</dd>
    </dl>
  )
}
