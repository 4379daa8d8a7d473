import { useEffect, useRef } from 'react'
import type { Editing } from './use-grid.ts'
import classes from './grid.module.css'

interface CellEditorProps {
  readonly editing: Editing
  /** The product whose line it is. */
  readonly label: string
  /** What the cell takes. */
  readonly takes: string
  readonly type: (text: string) => void
  readonly keep: () => boolean
}

/** The field of a cell that is typed into; whoever leaves it keeps what they typed. */
export const CellEditor = ({ editing: { text, isTyped, isWrong }, label, takes, type, keep }: CellEditorProps) => {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    field.current?.focus({ preventScroll: true })
    if (!isTyped) field.current?.select()
  }, [isTyped])
  return (
    <>
      <input
        ref={field}
        className={classes['editor']}
        aria-label={label}
        aria-invalid={isWrong}
        aria-describedby={isWrong ? 'cell-wrong' : undefined}
        inputMode="decimal"
        autoComplete="off"
        value={text}
        onChange={(event) => type(event.currentTarget.value)}
        onBlur={keep}
      />
      {isWrong && (
        <span id="cell-wrong" role="alert" className={classes['wrong']}>
          {takes}
        </span>
      )}
    </>
  )
}
