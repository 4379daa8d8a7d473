import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Action } from '#ui/action.tsx'
import { withDiscount } from '../draft/edits.ts'
import { priceDraft } from '../draft/price-draft.ts'
import { useDraftHere } from '../draft/use-draft.ts'
import { newDiscountKey, parseDiscount } from '../grid/cells.ts'
import { amountOf } from '../words.ts'

/** Gives a discount on the whole: what the total becomes is told while it is typed. */
export const GiveDiscount = () => {
  const { t } = useTranslation('quotations')
  const { base, edit } = useDraftHere()
  const [text, setText] = useState('')
  const { given, error, hint } = useTried(text)
  return (
    <form
      className="stack"
      style={{ gap: 6 }}
      onSubmit={(event) => {
        event.preventDefault()
        if (!given || error !== undefined) return
        edit((edits) => withDiscount(edits, { ...given, key: newDiscountKey(), line: null }))
        setText('')
      }}
    >
      <div className="flex" style={{ alignItems: 'flex-end' }}>
        <TextInput
          className="grow"
          label={t('terms.give')}
          placeholder={t('terms.give_example', { currency: base.terms.currency })}
          autoComplete="off"
          value={text}
          error={error !== undefined}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Action type="submit" off={given ? error : t('terms.no_discount')}>
          {t('terms.add')}
        </Action>
      </div>
      <p className={`small ${error === undefined ? 'muted' : 'text-bad'}`} aria-live="polite">
        {error ?? hint}
      </p>
    </form>
  )
}

/** What a discount that is typed would do: what the total becomes, or why it cannot be given. */
const useTried = (text: string) => {
  const { t } = useTranslation('quotations')
  const { base, lines, discounts, priced } = useDraftHere()
  const given = parseDiscount(text, base.terms)
  if (given === undefined) return { given, error: t('terms.no_discount'), hint: '' }
  if (given === null) return { given, error: undefined, hint: '' }
  const { net, off } = priceDraft(lines, [...discounts, { ...given, key: 'new:tried', line: null }])
  const taken = off.get('new:tried') ?? 0n
  const isTooMuch = given.type === 'fixed' && taken < given.value
  const [before, after] = [priced.net, net].map((amount) => amountOf(amount, base.terms))
  return {
    given,
    error: isTooMuch ? t('terms.too_much', { amount: amountOf(taken, base.terms) }) : undefined,
    hint: t('terms.becomes', { before, after }),
  }
}
