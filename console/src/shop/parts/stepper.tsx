import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './parts.module.css'

/** The most pieces of a product for a division that a basket takes. */
const most = 1_000_000

interface StepperProps {
  readonly quantity: number
  /** What is counted, for whoever does not see where it stands. */
  readonly label: string
  readonly onChange: (quantity: number) => void
}

/** How many: by taps, by keys, or typed. */
export const Stepper = ({ quantity, label, onChange }: StepperProps) => {
  const { t } = useTranslation('shop')
  /** What stands in the field while it is typed, as nothing for a moment. */
  const [text, setText] = useState<string>()
  const type = (next: string): void => {
    const digits = next.replaceAll(/\D/g, '').slice(0, 7)
    setText(digits)
    if (digits !== '') onChange(Math.min(most, Number(digits)))
  }
  return (
    <div className={classes['stepper']} role="group" aria-label={label}>
      <button type="button" aria-label={t('fewer')} onClick={() => onChange(Math.max(0, quantity - 1))}>
        −
      </button>
      <input
        inputMode="numeric"
        autoComplete="off"
        aria-label={t('pieces_of', { name: label })}
        value={text ?? String(quantity)}
        onFocus={({ target }) => target.select()}
        onChange={({ target }) => type(target.value)}
        onBlur={() => setText(undefined)}
      />
      <button type="button" aria-label={t('more')} onClick={() => onChange(Math.min(most, quantity + 1))}>
        +
      </button>
      <span className="visually-hidden" aria-live="polite">
        {quantity}
      </span>
    </div>
  )
}
